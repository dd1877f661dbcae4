import { defineScript } from './scripts.ts'

// While a snapshot is taken, the session's hash names where commits keep what they change or take away (`snapshot`), the
// first time they do so. Whoever takes it keeps that key alive.

/** How long what a snapshot needs is kept where nobody takes it away. */
export const KEPT_SECONDS = 600
/** After that time without a page, commits keep nothing more. */
export const ALIVE_SECONDS = 30

/**
 * Begins a snapshot of a session: `[epoch, w, cleared, path, items, assigned, …]`, or nothing where another is being
 * taken. After the key that commits look for follows the prefix of the session's keys.
 */
export const beginSnapshot = defineScript(
  'beginSnapshot',
  [],
  `local other = redis.call('HGET', KEYS[1], 'snapshot')
if other and redis.call('EXISTS', other) == 1 then return false end
local facts = redis.call('HMGET', KEYS[1], 'epoch', 'w')
local reply = {facts[1] or '', facts[2] or '0', redis.call('SMEMBERS', KEYS[3])}
for _, path in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  reply[#reply + 1] = path
  reply[#reply + 1] = tostring(redis.call('ZCARD', ARGV[2] .. 'o:' .. path))
  reply[#reply + 1] = redis.call('HGET', ARGV[2] .. 'm:' .. path, 'assigned') or '0'
end
if #reply > 3 then
  redis.call('HSET', KEYS[1], 'snapshot', ARGV[1])
  redis.call('SET', ARGV[1], 1, 'EX', ${ALIVE_SECONDS})
end
return reply`,
)

/**
 * Reads what a collection held in some places when the snapshot began: `[last, [id, place, text, …]]`, in no order; the
 * next page begins after the last place. Nothing where the session began again, or nothing was kept for too long. After
 * the key that commits look for follow the epoch, the place to begin after, the last one of the snapshot, and how many.
 */
export const readSnapshot = defineScript(
  'readSnapshot',
  ['no-writes'],
  `local facts = redis.call('HMGET', KEYS[1], 'epoch', 'snapshot')
if (facts[1] or '') ~= ARGV[2] or facts[2] ~= ARGV[1] or redis.call('EXISTS', ARGV[1]) == 0 then return false end
local last, count = tonumber(ARGV[4]), tonumber(ARGV[5])
local function placesIn(order)
  local found = redis.call('ZRANGEBYSCORE', order, ARGV[3], ARGV[4], 'WITHSCORES', 'LIMIT', 0, count)
  if #found == 2 * count then last = math.min(last, tonumber(found[#found])) end
  return found
end
local now, kept = placesIn(KEYS[3]), placesIn(KEYS[5])
local found, isKept = {}, {}
local function add(places, items, isOlder)
  local ids, scores = {}, {}
  for at = 1, #places, 2 do
    local id, place = places[at], places[at + 1]
    if tonumber(place) <= last and not isKept[id] then
      ids[#ids + 1], scores[#ids + 1] = id, place
      isKept[id] = isOlder
    end
  end
  if #ids == 0 then return end
  for index, text in ipairs(redis.call('HMGET', items, unpack(ids))) do
    found[#found + 1], found[#found + 2], found[#found + 3] = ids[index], scores[index], text
  end
end
add(kept, KEYS[4], true)
add(now, KEYS[2], nil)
return {string.format('%.17g', last), found}`,
)
