import { defineScript } from './scripts.ts'

// Milliseconds since 1970 as a text: numbers of Lua lose digits when they become texts.
const NOW = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local nowText = string.format('%.0f', now)`

const LIVING = `local function living(gw, stale)
  local found = {}
  local all = redis.call('HGETALL', gw)
  for i = 1, #all, 2 do
    local instance, applied, beat, peer = string.match(all[i + 1], '^(%S+) (%S+) (%S+) (.*)$')
    if now - tonumber(beat) <= tonumber(stale) then
      found[#found + 1] = all[i]
      found[#found + 1] = instance
      found[#found + 1] = applied
      found[#found + 1] = peer
    end
  end
  return found
end`

// Those whose time has run out are no longer there, and are known as lost from the same moment on.
const SWEEP = `local function sweep(gw, lost, stale)
  local all = redis.call('HGETALL', gw)
  for i = 1, #all, 2 do
    local instance, _, at = string.match(all[i + 1], '^(%S+) (%S+) (%S+)')
    if now - tonumber(at) > tonumber(stale) then
      redis.call('HDEL', gw, all[i])
      redis.call('ZADD', lost, nowText, all[i] .. ' ' .. instance)
    end
  end
  redis.call('ZREMRANGEBYRANK', lost, 0, -1001)
end`

/**
 * Says that a gateway is there. One whose time has run out is lost, until it says so again.
 * KEYS: gateways, version, lost, fence. ARGV: name, instance, applied, peer, milliseconds that a beat counts.
 * Returns seconds and microseconds of the server, version, fence, the instance that had this name, and the living.
 */
export const beat = defineScript(
  'beat',
  ['allow-oom'],
  `${NOW}
${LIVING}
${SWEEP}
local before = redis.call('HGET', KEYS[1], ARGV[1])
local other = ''
if before then
  local instance, _, at = string.match(before, '^(%S+) (%S+) (%S+)')
  if instance ~= ARGV[2] then
    if now - tonumber(at) <= tonumber(ARGV[5]) then other = instance
    else redis.call('ZADD', KEYS[3], nowText, ARGV[1] .. ' ' .. instance) end
  end
end
if other == '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. nowText .. ' ' .. ARGV[4])
  redis.call('ZREM', KEYS[3], ARGV[1] .. ' ' .. ARGV[2])
end
sweep(KEYS[1], KEYS[3], ARGV[5])
return {t[1], t[2], tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(redis.call('GET', KEYS[4]) or 0), other,
  living(KEYS[1], ARGV[5])}`,
)

/** A gateway ends, and has passed on all it had. KEYS: gateways, inbox. ARGV: name, instance. */
export const leave = defineScript(
  'leave',
  ['allow-oom'],
  `local own = redis.call('HGET', KEYS[1], ARGV[1])
if own and string.match(own, '^(%S+)') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('DEL', KEYS[2])
return 1`,
)

/**
 * Makes a change, as long as the lock is held that says that no other is made meanwhile.
 * KEYS: version, log, gateways, lock, sessions, then the parts of each session that is changed.
 * ARGV: lock, instance, milliseconds that a beat counts, changes as JSON, then by change: the place of its key, the
 * session, the part, the value. The part `ended` takes all others away.
 * Returns the version, 0 where the lock was lost, and the living gateways.
 */
export const change = defineScript(
  'change',
  [],
  `if redis.call('GET', KEYS[4]) ~= ARGV[1] then return {0, {}} end
${NOW}
${LIVING}
local version = redis.call('INCR', KEYS[1])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, string.format('%.0f-0', version), 'by', ARGV[2], 'c', ARGV[4])
for i = 5, #ARGV, 4 do
  local key = KEYS[5 + tonumber(ARGV[i])]
  if ARGV[i + 2] == 'ended' then
    redis.call('DEL', key)
    redis.call('ZREM', KEYS[5], ARGV[i + 1])
  else
    redis.call('HSET', key, ARGV[i + 2], ARGV[i + 3])
  end
end
return {version, living(KEYS[3], ARGV[3])}`,
)

/**
 * Asks all gateways to pass on what they have. KEYS: fence, fences, gateways, lost. ARGV: instance, beat.
 * Returns its number and the living.
 */
export const fence = defineScript(
  'fence',
  ['allow-oom'],
  `${NOW}
${LIVING}
${SWEEP}
sweep(KEYS[3], KEYS[4], ARGV[2])
local number = redis.call('INCR', KEYS[1])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, string.format('%.0f-0', number), 'by', ARGV[1])
return {number, living(KEYS[3], ARGV[2])}`,
)

/** Reports a gateway that something was done. KEYS: its inbox. ARGV: kind, number, instance, problem. */
export const report = defineScript(
  'report',
  ['allow-oom'],
  `redis.call('XADD', KEYS[1], 'MAXLEN', '~', 1000, '*', 'k', ARGV[1], 'n', ARGV[2], 'g', ARGV[3], 'p', ARGV[4])
redis.call('PEXPIRE', KEYS[1], 60000)
return 1`,
)

/**
 * A session as it is, begun where it is not there.
 * KEYS: its parts, sessions, version. ARGV: its key, milliseconds until it is forgotten, 1 where it is used.
 * Returns the version that it has, and its parts.
 */
export const meetSession = defineScript(
  'meetSession',
  [],
  `${NOW}
local all = redis.call('HGETALL', KEYS[1])
if #all == 0 then
  redis.call('HSET', KEYS[1], 'since', nowText)
  all = {'since', nowText}
end
if ARGV[1] ~= '' then
  if ARGV[3] == '1' or not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
    redis.call('ZADD', KEYS[2], 'GT', nowText, ARGV[1])
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return {tonumber(redis.call('GET', KEYS[3]) or 0), all}`,
)

/** Notes that sessions were used. KEYS: sessions, then the parts of each. ARGV: milliseconds until it is forgotten, keys. */
export const useSessions = defineScript(
  'useSessions',
  ['allow-oom'],
  `${NOW}
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[1], 'XX', 'GT', nowText, ARGV[i])
  redis.call('PEXPIRE', KEYS[i], ARGV[1])
end
return 1`,
)

/** Sessions that are to end: not used for so long, and past the most. KEYS: sessions. ARGV: idle milliseconds, most. */
export const idleSessions = defineScript(
  'idleSessions',
  ['no-writes'],
  `${NOW}
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - tonumber(ARGV[1])))
local most = tonumber(ARGV[2])
local left = redis.call('ZCARD', KEYS[1])
if left - #ended > most then ended = redis.call('ZRANGE', KEYS[1], 0, left - most - 1) end
return ended`,
)
