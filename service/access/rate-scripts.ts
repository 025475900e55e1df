// What Redis runs, each as one step that nothing interleaves. An empty time argument means Redis's own clock.
import { createHash } from "node:crypto";

export interface Script {
  text: string;
  sha: string;
}

const script = (body: string): Script => {
  const text = `
local function time(given)
  if given ~= '' then return tonumber(given) end
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000)
end
${body}`;
  return { text, sha: createHash("sha1").update(text).digest("hex") };
};

/**
 * A list of the milliseconds of allowed requests, oldest first. Answers {allowed, remaining, resetMs}.
 * ARGV: limit, window, cost (0 only looks), time.
 */
export const TAKE = script(`
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = time(ARGV[4])
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count + cost > limit then
  local leaves = redis.call('LINDEX', KEYS[1], count - limit) or now
  return {0, 0, tonumber(leaves) + window - now}
end
if cost > 0 then
  redis.call('RPUSH', KEYS[1], now)
  redis.call('PEXPIRE', KEYS[1], window)
end
return {1, limit - count - cost, tonumber(oldest or now) + window - now}
`);

/** One hash a subject: a node's id to "count:until". The sum of the nodes that are alive counts. */
const COUNT_SOCKETS = `
local function others(now, node)
  local sum, mine = 0, 0
  local fields = redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do
    local count, untilAt = string.match(fields[i + 1], '^(%d+):(%d+)$')
    if tonumber(untilAt) <= now then redis.call('HDEL', KEYS[1], fields[i])
    elseif fields[i] == node then mine = tonumber(count)
    else sum = sum + tonumber(count) end
  end
  return sum, mine
end
local function put(node, count, lease, now)
  if count == 0 then redis.call('HDEL', KEYS[1], node)
  else redis.call('HSET', KEYS[1], node, string.format('%d:%d', count, now + lease)) end
  redis.call('PEXPIRE', KEYS[1], lease)
end
`;

/** Answers {1} and counts one more, or {0}. ARGV: node, limit, lease, time. */
export const OPEN_SOCKET = script(`${COUNT_SOCKETS}
local now = time(ARGV[4])
local sum, mine = others(now, ARGV[1])
if sum + mine >= tonumber(ARGV[2]) then return {0} end
put(ARGV[1], mine + 1, tonumber(ARGV[3]), now)
return {1}
`);

/** Puts down how many a node has, for its closing and for its renewing. ARGV: node, count, lease, time. */
export const SET_SOCKETS = script(`${COUNT_SOCKETS}
put(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), time(ARGV[4]))
return {1}
`);
