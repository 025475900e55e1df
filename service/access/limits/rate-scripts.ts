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

/** One hash a subject: a node's id to "count:until". The sum of the nodes that are alive counts. */
const COUNT = `
local function others(key, now, node)
  local sum, mine = 0, 0
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local count, untilAt = string.match(fields[i + 1], '^(%d+):(%d+)$')
    if tonumber(untilAt) <= now then redis.call('HDEL', key, fields[i])
    elseif fields[i] == node then mine = tonumber(count)
    else sum = sum + tonumber(count) end
  end
  return sum, mine
end
local function put(key, node, count, lease, now)
  if count == 0 then redis.call('HDEL', key, node)
  else redis.call('HSET', key, node, string.format('%d:%d', count, now + lease)) end
  redis.call('PEXPIRE', key, lease)
end
`;

/**
 * A list of the milliseconds of allowed requests, oldest first, and the nodes' counts of requests under way. Answers
 * {allowed, remaining, resetMs, crowded}. KEYS: the list, the counts.
 * ARGV: limit, window, cost (0 only looks), time, node, under way here, at most on all, lease.
 */
export const TAKE = script(`${COUNT}
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = time(ARGV[4])
local here, atMost = tonumber(ARGV[6]), tonumber(ARGV[7])
if cost > 0 and here > 0 then
  if others(KEYS[2], now, ARGV[5]) + here > atMost then
    return {0, math.max(0, limit - redis.call('LLEN', KEYS[1])), 1000, 1}
  end
  -- One alone is not worth a write: the nodes are few, and so is what they leave out.
  if here > 1 then put(KEYS[2], ARGV[5], here, tonumber(ARGV[8]), now) end
end
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count + cost > limit then
  local leaves = redis.call('LINDEX', KEYS[1], count - limit) or now
  return {0, 0, tonumber(leaves) + window - now, 0}
end
if cost > 0 then
  redis.call('RPUSH', KEYS[1], now)
  redis.call('PEXPIRE', KEYS[1], window)
end
return {1, limit - count - cost, tonumber(oldest or now) + window - now, 0}
`);

/** Answers {1} and counts one more, or {0}. ARGV: node, limit, lease, time. */
export const OPEN_SOCKET = script(`${COUNT}
local now = time(ARGV[4])
local sum, mine = others(KEYS[1], now, ARGV[1])
if sum + mine >= tonumber(ARGV[2]) then return {0} end
put(KEYS[1], ARGV[1], mine + 1, tonumber(ARGV[3]), now)
return {1}
`);

/** Puts down how many a node has, of sockets or of requests under way. ARGV: node, count, lease, time. */
export const SET_COUNT = script(`${COUNT}
put(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), time(ARGV[4]))
return {1}
`);
