import { defineScript } from './scripts.ts'

// A world `W` has three keys: `W:m` is a hash of `term` (who may write), `seq` (how many entries there have been) and
// `counts`; `W:log` a stream of entries, whose ids are their numbers; `W:s` the snapshot that they go on from.

/** Begins to write: whoever wrote before is refused from now on. Nothing, where the lease is another's. */
export const openWorld = defineScript(
  'openWorld',
  [],
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {} end
local term = redis.call('HINCRBY', KEYS[2], 'term', 1)
redis.call('PERSIST', KEYS[2])
local facts = redis.call('HMGET', KEYS[2], 'seq', 'counts')
return {term, facts[1] or '0', facts[2] or ''}`,
)

const MAY_WRITE = `local facts = redis.call('HMGET', KEYS[1], 'term', 'seq')
if facts[1] ~= ARGV[1] or (facts[2] or '0') ~= ARGV[2] then return 0 end`

/** Adds entries, by who may write and knows all entries before. */
export const appendWorld = defineScript(
  'appendWorld',
  [],
  `${MAY_WRITE}
local seq = tonumber(ARGV[2])
if ARGV[4] == 'beginning' then redis.call('UNLINK', KEYS[2], KEYS[3]) end
for i = 5, #ARGV do
  seq = seq + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-0', seq), 'e', ARGV[i])
end
redis.call('HSET', KEYS[1], 'seq', string.format('%.0f', seq), 'counts', ARGV[3])
return 1`,
)

/** Puts a snapshot in the place of all entries so far. */
export const storeWorld = defineScript(
  'storeWorld',
  [],
  `${MAY_WRITE}
redis.call('UNLINK', KEYS[2])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'counts', ARGV[3])
return 1`,
)

/** Puts a world back to its beginning, and returns who held it. Who wrote is refused for as long as it may still try. */
export const endWorld = defineScript(
  'endWorld',
  ['allow-oom'],
  `local holder = redis.call('GET', KEYS[1]) or ''
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HINCRBY', KEYS[2], 'term', 1) end
redis.call('HDEL', KEYS[2], 'counts')
redis.call('EXPIRE', KEYS[2], 3600)
redis.call('UNLINK', KEYS[1], KEYS[3], KEYS[4])
return holder`,
)
