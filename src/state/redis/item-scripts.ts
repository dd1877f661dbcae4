import { defineScript } from './scripts.ts'

// Each has the session's own hash as its first key, and the gateway's name as its first argument: the hash counts all
// changes of the session, and those of each gateway, by which one notices that a server has lost some.

/** Whether something was stored in a collection, as `KNOWN` of loaded.ts numbers it. */
export const KNOWN = `
local function knownOf(path)
  if redis.call('SISMEMBER', KEYS[2], path) == 1 then return 1 end
  if redis.call('SISMEMBER', KEYS[3], path) == 1 or redis.call('SISMEMBER', KEYS[3], '*') == 1 then return 2 end
  return 0
end
local function epochOf() return redis.call('HGET', KEYS[1], 'epoch') or '0' end`

/**
 * Counts changes; a script that uses it has the gateway as its first argument. The count begins with the time, so that
 * no number comes again when a session begins again.
 */
export const WROTE = `
local function micros()
  local time = redis.call('TIME')
  return string.format('%.0f', time[1] * 1000000 + time[2])
end
local function wrote(count)
  local own = redis.call('HINCRBY', KEYS[1], 'w:' .. ARGV[1], count)
  if own == count then
    redis.call('HSETNX', KEYS[1], 'w', micros())
    redis.call('PERSIST', KEYS[1])
  end
  return redis.call('HINCRBY', KEYS[1], 'w', count), own
end`

/**
 * Reads parts of collections: `[epoch, w, paths, gone, [known, size, assigned, seq, [item | page, …]], …]`. After the
 * gateway and whether all paths are needed follow for each collection its path, and how many items and pages.
 */
export const load = defineScript(
  'load',
  ['no-writes'],
  `${KNOWN}
local reply = {epochOf(), redis.call('HGET', KEYS[1], 'w') or '0', {}, {}}
if ARGV[2] == '1' then
  reply[3] = redis.call('SMEMBERS', KEYS[2])
  reply[4] = redis.call('SMEMBERS', KEYS[3])
end
local at = 3
for key = 4, #KEYS, 3 do
  local items, order, meta = KEYS[key], KEYS[key + 1], KEYS[key + 2]
  local path, count = ARGV[at], tonumber(ARGV[at + 1])
  at = at + 2
  local facts = redis.call('HMGET', meta, 'assigned', 'seq')
  local found = {}
  for index = 1, count do
    if ARGV[at] == 'i' then
      found[index] = redis.call('HGET', items, ARGV[at + 1])
      at = at + 2
    else
      local offset = tonumber(ARGV[at + 1])
      local ids = redis.call('ZRANGE', order, offset, offset + tonumber(ARGV[at + 2]) - 1)
      local texts = {}
      for from = 1, #ids, 1000 do
        for _, text in ipairs(redis.call('HMGET', items, unpack(ids, from, math.min(#ids, from + 999)))) do
          texts[#texts + 1] = text
        end
      end
      found[index] = {ids, texts}
      at = at + 3
    end
  end
  reply[#reply + 1] = {knownOf(path), redis.call('ZCARD', order), facts[1] or '', facts[2] or '', found}
end
return reply`,
)

/**
 * Reads items of a collection: `[w, known, [text, …]]`. After the gateway follow the path of the collection and the
 * ids; an item that is not there has no text.
 */
export const loadItems = defineScript(
  'loadItems',
  ['no-writes'],
  `${KNOWN}
local w = redis.call('HGET', KEYS[1], 'w') or '0'
return {w, knownOf(ARGV[2]), redis.call('HMGET', KEYS[4], unpack(ARGV, 3))}`,
)

/**
 * Takes the next ordinals of a collection, as many as there are requests that wait for one, and the lowest that were
 * given back first: `[epoch, known, size, w, own, ordinal, …]`. Where none was taken yet it begins with one of two
 * counts.
 */
export const reserve = defineScript(
  'reserve',
  [],
  `${KNOWN}${WROTE}
local known = knownOf(ARGV[2])
local meta, given = KEYS[5], KEYS[6]
local count = tonumber(ARGV[5])
local w, own = wrote(1)
local reply = {epochOf(), known, redis.call('ZCARD', KEYS[4]), w, own}
local back = redis.call('ZPOPMIN', given, count)
for index = 1, #back, 2 do reply[#reply + 1] = tonumber(back[index]) end
count = count - #back / 2
if count > 0 then
  if known ~= 1 and redis.call('HSETNX', meta, 'assigned', known == 0 and ARGV[3] or ARGV[4]) == 1 then
    redis.call('SADD', KEYS[7], ARGV[2])
  end
  local assigned = redis.call('HINCRBY', meta, 'assigned', count)
  for ordinal = assigned - count, assigned - 1 do reply[#reply + 1] = ordinal end
end
return reply`,
)

/** Gives ordinals back that nothing was stored for, unless the session began again since. */
export const giveBack = defineScript(
  'giveBack',
  ['allow-oom'],
  `${WROTE}
if (redis.call('HGET', KEYS[1], 'epoch') or '0') ~= ARGV[2] then return 0 end
for index = 3, #ARGV do redis.call('ZADD', KEYS[3], ARGV[index], ARGV[index]) end
local assigned = tonumber(redis.call('HGET', KEYS[2], 'assigned') or '0')
while assigned > 0 and redis.call('ZREM', KEYS[3], assigned - 1) == 1 do assigned = assigned - 1 end
redis.call('HSET', KEYS[2], 'assigned', assigned)
wrote(1)
return 1`,
)

/**
 * Puts items of a collection aside, where they stay for a minute unless they take its place. After the place of the first
 * follow their ids and what is held of each. They go in one command, as the server writes each command to its file.
 */
export const fillAside = defineScript(
  'fillAside',
  [],
  `local places = {}
local place = tonumber(ARGV[1])
for at = 2, #ARGV, 2 do
  places[at - 1], places[at] = place, ARGV[at]
  place = place + 1
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('ZADD', KEYS[2], unpack(places))
redis.call('EXPIRE', KEYS[1], 60)
redis.call('EXPIRE', KEYS[2], 60)
return 1`,
)

/** What is held of an item that is put aside: no change has made it. */
export function heldAside(text: string): string {
  return `b:${text}`
}

const UNLINK_ITEMS = `
local function unlinkItems(prefix)
  for _, path in ipairs(redis.call('SUNION', KEYS[2], KEYS[4])) do
    redis.call('UNLINK', prefix .. 'i:' .. path, prefix .. 'o:' .. path, prefix .. 'm:' .. path, prefix .. 'f:' .. path)
  end
  redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
  redis.call('HSET', KEYS[1], 'epoch', micros())
end`

/**
 * Puts what was filled aside in the place of all items of a session: `[ok, w, own]`, or `[began]` where the session
 * began again since, or `[changed]` where what was put aside is gone. After gateway, epoch and the prefix of the session's keys follow
 * for each collection its path, how many items, and the count of ids, and then the collections whose first items are
 * not to be there, or `*` for all.
 */
export const takePlace = defineScript(
  'takePlace',
  ['allow-oom'],
  `${WROTE}${UNLINK_ITEMS}
if ARGV[2] ~= '' and (redis.call('HGET', KEYS[1], 'epoch') or '0') ~= ARGV[2] then return {'began'} end
for key = 5, #KEYS, 5 do
  if ARGV[4 + (key - 5) / 5 * 3 + 1] ~= '0' and redis.call('EXISTS', KEYS[key + 3]) == 0 then return {'changed'} end
end
unlinkItems(ARGV[3])
for at = 4 + (#KEYS - 4) / 5 * 3, #ARGV do redis.call('SADD', KEYS[3], ARGV[at]) end
local w, own = wrote(1)
for key = 5, #KEYS, 5 do
  local at = 4 + (key - 5) / 5 * 3
  if ARGV[at + 1] ~= '0' then
    redis.call('RENAME', KEYS[key + 3], KEYS[key])
    redis.call('RENAME', KEYS[key + 4], KEYS[key + 1])
    redis.call('PERSIST', KEYS[key])
    redis.call('PERSIST', KEYS[key + 1])
  end
  redis.call('SADD', KEYS[2], ARGV[at])
  redis.call('HSET', KEYS[key + 2], 'assigned', ARGV[at + 2], 'seq', w)
end
return {'ok', w, own}`,
)

/**
 * Takes all that a session holds away, so that it begins again: items, and further keys by what follows the prefix.
 * What is left of it goes after a time, unless that is 0 or something is stored again. Returns the number of changes.
 */
export const resetSession = defineScript(
  'resetSession',
  ['allow-oom'],
  `${WROTE}${UNLINK_ITEMS}
local limits = redis.call('ZRANGE', KEYS[5], 0, -1)
for _, key in ipairs(limits) do redis.call('UNLINK', key) end
unlinkItems(ARGV[2])
for index = 4, #ARGV do redis.call('UNLINK', ARGV[2] .. ARGV[index]) end
local now = micros()
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'epoch', now, 'w', now)
if ARGV[3] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return tonumber(now)`,
)
