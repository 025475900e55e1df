// Redis scripts, each atomic. An empty time argument means Redis's own clock.
import { createHash } from "node:crypto";

export interface RedisScript {
  text: string;
  sha: string;
}

/** Nodes check several times in this period. */
const SHORT_MS = 1_000;
/** The others are returned when idle. */
const SHORT_MAX = 1_000;

const script = (body: string): RedisScript => {
  const text = `
local SHORT_MS, SHORT_MAX = ${SHORT_MS}, ${SHORT_MAX}
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
 * A subject's window is a list of runs "time:count", oldest first, their sum, and the slices that nodes hold. A slice that
 * its node did not report on in time counts as used: it may have been.
 */
const WINDOW = `
-- Runs in order of time. A node may report late what happened before what others reported: those go behind it again.
local function add(keys, runs, window)
  if #runs == 0 then return end
  local sum, texts = 0, {}
  local last = redis.call('LINDEX', keys[1], -1)
  while last and tonumber(string.match(last, '^%d+')) > runs[1][1] do
    local at, count = string.match(redis.call('RPOP', keys[1]), '^(%d+):(%d+)$')
    table.insert(runs, {tonumber(at), tonumber(count)})
    sum = sum - tonumber(count)
    last = redis.call('LINDEX', keys[1], -1)
  end
  table.sort(runs, function(a, b) return a[1] < b[1] end)
  for i, run in ipairs(runs) do
    sum = sum + run[2]
    texts[i] = string.format('%d:%d', run[1], run[2])
  end
  redis.call('RPUSH', keys[1], unpack(texts))
  redis.call('INCRBY', keys[2], sum)
  redis.call('PEXPIRE', keys[1], window)
  redis.call('PEXPIRE', keys[2], window)
end
local function held(keys, now, node, window)
  local sum = 0
  local fields = redis.call('HGETALL', keys[3])
  for i = 1, #fields, 2 do
    local count, untilAt = string.match(fields[i + 1], '^(%d+):(%d+)$')
    if fields[i] == node or tonumber(untilAt) <= now then
      redis.call('HDEL', keys[3], fields[i])
      if fields[i] ~= node then add(keys, {{tonumber(untilAt), tonumber(count)}}, window) end
    else sum = sum + tonumber(count) end
  end
  return sum
end
local function counted(keys, now, window)
  local oldest = redis.call('LINDEX', keys[1], 0)
  while oldest do
    local at, count = string.match(oldest, '^(%d+):(%d+)$')
    if tonumber(at) > now - window then break end
    redis.call('LPOP', keys[1])
    redis.call('DECRBY', keys[2], count)
    oldest = redis.call('LINDEX', keys[1], 0)
  end
  if not oldest then
    redis.call('DEL', keys[2])
    return 0, nil
  end
  return tonumber(redis.call('GET', keys[2]) or 0), tonumber(string.match(oldest, '^(%d+)'))
end
-- When this many fewer will be counted.
local function roomAt(keys, now, surplus, window)
  local index = 0
  while true do
    local run = redis.call('LINDEX', keys[1], index)
    if not run then return now + 1000 end
    local at, count = string.match(run, '^(%d+):(%d+)$')
    surplus = surplus - tonumber(count)
    if surplus <= 0 then return tonumber(at) + window end
    index = index + 1
  end
end
`;

/**
 * Accounts for what the node used of its last slice, and when, and grants the next one. Near the end of the window a slice is one
 * request, which counts from this moment. Places among the requests under way are granted in the same way. Answers
 * {granted, remaining, resetMs, places, crowded}.
 * KEYS: runs, sum, slices, places, those that are short. ARGV: limit, window, wanted (0 only accounts), used as "age:count ...", time, node, lease
 * of a slice, share of what is left that one slice may have, places needed, more places wanted, places at most (0: not
 * counted), lease of places, subject. Who is refused for what others hold is put down as short.
 */
export const TAKE = script(`${COUNT}${WINDOW}
local limit, window, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now, node, share = time(ARGV[5]), ARGV[6], tonumber(ARGV[8])
local keys = {KEYS[1], KEYS[2], KEYS[3]}
local elsewhere = held(keys, now, node, window)
local runs = {}
for age, used in string.gmatch(ARGV[4], '(%d+):(%d+)') do table.insert(runs, {now - tonumber(age), tonumber(used)}) end
add(keys, runs, window)
local function short()
  redis.call('ZADD', KEYS[5], now, ARGV[13])
  redis.call('PEXPIRE', KEYS[5], SHORT_MS)
end
local count, oldest = counted(keys, now, window)
local room = limit - count - elsewhere
local places, atMost = tonumber(ARGV[9]), tonumber(ARGV[11])
if atMost > 0 then
  local taken, mine = others(KEYS[4], now, node)
  local free = atMost - taken
  if places > free and wanted > 0 then
    if taken > 0 then short() end
    -- The node goes by this answer for as long as by any other, so what it has is held for it as long.
    local kept = math.max(0, math.min(mine, free))
    if mine > 0 then put(KEYS[4], node, kept, tonumber(ARGV[12]), now) end
    return {0, math.max(0, room), 1000, kept, 1}
  end
  places = places + math.max(0, math.min(tonumber(ARGV[10]), math.floor((free - places) / share)))
  if places > 0 or mine > 0 then put(KEYS[4], node, places, tonumber(ARGV[12]), now) end
end
if wanted == 0 then return {0, math.max(0, room), (oldest or now) + window - now, places, 0} end
if room < 1 then
  local surplus = count + 1 - limit
  -- What others hold and do not use they give back within a second.
  if surplus < 1 then
    short()
    return {0, 0, 1000, places, 0}
  end
  return {0, 0, roomAt(keys, now, surplus, window) - now, places, 0}
end
local granted = math.max(1, math.min(wanted, math.floor(room / share)))
if granted == 1 then
  add(keys, {{now, 1}}, window)
else
  redis.call('HSET', keys[3], node, string.format('%d:%d', granted, now + tonumber(ARGV[7])))
  redis.call('PEXPIRE', keys[3], window)
end
return {granted, room - granted, (oldest or now) + window - now, places, 0}
`);

/** Subjects that ran short recently, for nodes that hold some of their quota. ARGV: time. */
export const SHORT = script(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time(ARGV[1]) - SHORT_MS)
return redis.call('ZRANGE', KEYS[1], 0, SHORT_MAX - 1)
`);

/** Answers {1} and counts one more, or {0}. ARGV: node, limit, lease, time. */
export const OPEN_SOCKET = script(`${COUNT}
local now = time(ARGV[4])
local sum, mine = others(KEYS[1], now, ARGV[1])
if sum + mine >= tonumber(ARGV[2]) then return {0} end
put(KEYS[1], ARGV[1], mine + 1, tonumber(ARGV[3]), now)
return {1}
`);

/** Records how many sockets a node has. ARGV: node, count, lease, time. */
export const SET_COUNT = script(`${COUNT}
put(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), time(ARGV[4]))
return {1}
`);
