import { WROTE } from './item-scripts.ts'
import { defineScript } from './scripts.ts'

// How many counters there are before the older half of them goes.
const GENERATION = 50_000

const ADD = `
local function add(field, count)
  local now = redis.call('HINCRBY', KEYS[2], field, count)
  if now ~= tonumber(count) then return now end
  local before = redis.call('HGET', KEYS[3], field)
  if before then
    redis.call('HDEL', KEYS[3], field)
    now = redis.call('HINCRBY', KEYS[2], field, before)
  end
  if redis.call('HLEN', KEYS[2]) >= ${GENERATION} then redis.call('RENAME', KEYS[2], KEYS[3]) end
  return now
end`

/** Counts: `[how many came before, w, own]`. KEYS: session, counters, older ones. ARGV: gateway, field. */
export const countNext = defineScript(
  'countNext',
  [],
  `${WROTE}${ADD}
local now = add(ARGV[2], 1)
local w, own = wrote(1)
return {now - 1, w, own}`,
)

/** Adds what was counted elsewhere: `[w, own]`. KEYS as before. ARGV: gateway, then fields with their counts. */
export const countMany = defineScript(
  'countMany',
  [],
  `${WROTE}${ADD}
for at = 2, #ARGV, 2 do add(ARGV[at], ARGV[at + 1]) end
local w, own = wrote(1)
return {w, own}`,
)

const LIMITED_KEYS = 100_000

/**
 * Admits by all limits or by none: `[now, [admitted, first], …, w, own]`, as things were before.
 * KEYS: session, the lists by their last use, then a list for each limit. ARGV: gateway, now, and for each limit the
 * most, the window in milliseconds, and 1 where it is fixed. Times of gateways differ by their clocks' error: a list
 * stays in order all the same.
 */
export const admit = defineScript(
  'admit',
  [],
  `${WROTE}
local now = tonumber(ARGV[2])
for key = 3, #KEYS do
  local last = tonumber(redis.call('LINDEX', KEYS[key], -1) or now)
  if last > now and last - now < 100 then now = last end
end
local text = string.format('%.4f', now)
local reply, isFree = {text}, true
for key = 3, #KEYS do
  local at = 3 + (key - 3) * 3
  local list, most, window = KEYS[key], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local first = redis.call('LINDEX', list, 0)
  if ARGV[at + 2] == '1' then
    local begins = tonumber(first or now)
    if first and (now < begins or now >= begins + window) then
      redis.call('DEL', list)
      first = false
    end
  else
    while first and tonumber(first) <= now - window do
      redis.call('LPOP', list)
      first = redis.call('LINDEX', list, 0)
    end
  end
  local admitted = redis.call('LLEN', list)
  if admitted >= most then isFree = false end
  reply[#reply + 1] = {admitted, first or text}
end
local w, own = 0, 0
if isFree then
  for key = 3, #KEYS do
    if redis.call('RPUSH', KEYS[key], text) == 1 then
      redis.call('ZADD', KEYS[2], now, KEYS[key])
      if redis.call('ZCARD', KEYS[2]) > ${LIMITED_KEYS} then
        redis.call('UNLINK', redis.call('ZPOPMIN', KEYS[2])[1])
      end
    end
  end
  w, own = wrote(1)
end
reply[#reply + 1] = w
reply[#reply + 1] = own
return reply`,
)

/** Forgets all that was admitted. KEYS: session, the lists by their last use. */
export const forgetAdmitted = defineScript(
  'forgetAdmitted',
  ['allow-oom'],
  `for _, key in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('UNLINK', key) end
redis.call('UNLINK', KEYS[2])
return 1`,
)
