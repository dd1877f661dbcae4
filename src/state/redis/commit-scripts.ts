import { KNOWN } from './item-scripts.ts'
import { defineScript } from './scripts.ts'
import { KEPT_SECONDS } from './snapshot-scripts.ts'

const COMMIT = `${KNOWN}
local facts = redis.call('HMGET', KEYS[1], 'epoch', 'w', 'w:' .. ARGV[1], 'snapshot')
local epoch, w, own = facts[1] or '0', tonumber(facts[2] or '0'), tonumber(facts[3] or '0')
local snapshot = facts[4] and redis.call('EXISTS', facts[4]) == 1 and facts[4]
local wasOwn = own
local function micros()
  local time = redis.call('TIME')
  return string.format('%.0f', time[1] * 1000000 + time[2])
end
local function wrote(count)
  if own == 0 and not facts[2] and w == 0 then w = tonumber(micros()) end
  w, own = w + count, own + count
end
local states, all = {}, {}
for key = 4, #KEYS, 6 do
  local path = ARGV[2 + #all]
  states[path] = states[path] or {known = knownOf(path)}
  all[#all + 1] = {
    items = KEYS[key], order = KEYS[key + 1], meta = KEYS[key + 2], given = KEYS[key + 3],
    asideItems = KEYS[key + 4], asideOrder = KEYS[key + 5], path = path, state = states[path],
  }
end
local function holds(item, expected)
  if string.sub(expected, 1, 1) ~= '=' then return (item and string.match(item, '^[^:]*') or '') == expected end
  return item and string.sub(item, string.find(item, ':', 1, true) + 1) == string.sub(expected, 2)
end
local plain = {'', 'none', '0', '', '-', '-', '', '0'}
local function look(one, at)
  local head = plain
  if ARGV[at] == 'plain' then
    at = at + 1
  else
    head = {}
    for index = 1, 8 do head[index] = ARGV[at + index - 1] end
    at = at + 8
  end
  local expected, seq, was, state = head[1], head[5], head[6], one.state
  local part = {
    one = one, fill = head[2], count = tonumber(head[3]), assigned = head[4],
    set = head[7], clears = head[8] == '1', changes = {},
  }
  if expected ~= '' and tonumber(expected) ~= state.known then return nil, {'changed'} end
  if state.known ~= 1 and expected == '' and part.fill == 'maybe' then return nil, {'unfilled', one.path} end
  local isAside = part.fill == 'aside'
  if isAside and part.count > 0 and redis.call('EXISTS', one.asideItems) == 0 then
    return nil, {'unfilled', one.path}
  end
  if seq ~= '-' and (state.seq or redis.call('HGET', one.meta, 'seq') or '') ~= seq then return nil, {'changed'} end
  if was ~= '-' and (redis.call('HGET', one.meta, 'assigned') or '') ~= was then return nil, {'changed'} end
  local there = {}
  local checks = tonumber(ARGV[at])
  at = at + 1
  for _ = 1, checks do
    local item = redis.call('HGET', one.items, ARGV[at])
    if not holds(item, ARGV[at + 1]) then return nil, {'changed'} end
    if not part.clears and not isAside then there[ARGV[at]] = item and true or false end
    at = at + 2
  end
  local size
  if part.clears then
    size = 0
  elseif isAside then
    size = part.count
  else
    state.size = state.size or redis.call('ZCARD', one.order)
    size = state.size
  end
  local changes = tonumber(ARGV[at])
  at = at + 1
  for index = 1, changes do
    local kind, id, most = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 3])
    local isThere = there[id]
    if isThere == nil then
      isThere = not part.clears and redis.call('HEXISTS', isAside and one.asideItems or one.items, id) == 1
    end
    if kind == 'add' and isThere then return nil, {'exists', one.path, id} end
    if kind == 'remove' then
      if isThere then size = size - 1 end
    elseif not isThere then
      if most and size >= most then return nil, {'full', one.path, most} end
      size = size + 1
    end
    there[id] = kind ~= 'remove'
    part.changes[index] = {kind, id, ARGV[at + 2], isThere}
    at = at + 4
  end
  part.size = size
  return part, at
end
local function keepForSnapshot(one, id)
  local items, order = snapshot .. 'i:' .. one.path, snapshot .. 'o:' .. one.path
  local item = redis.call('HGET', one.items, id)
  if not item or redis.call('HSETNX', items, id, item) == 0 then return end
  redis.call('ZADD', order, redis.call('ZSCORE', one.order, id), id)
  redis.call('EXPIRE', items, ${KEPT_SECONDS})
  redis.call('EXPIRE', order, ${KEPT_SECONDS})
end
local function make(part)
  local one, state, changes = part.one, part.one.state, part.changes
  if #changes == 0 and part.set == '' and not part.clears then return end
  if part.clears then
    redis.call('UNLINK', one.items, one.order, one.meta, one.given)
    redis.call('SREM', KEYS[2], one.path)
    redis.call('SADD', KEYS[3], one.path)
    epoch = micros()
    redis.call('HSET', KEYS[1], 'epoch', epoch)
    state.known, state.seq, state.size = 2, nil, 0
    wrote(1)
    if #changes == 0 and part.set == '' then return end
  elseif state.known ~= 1 and part.fill == 'aside' and part.count > 0 then
    redis.call('RENAME', one.asideItems, one.items)
    redis.call('RENAME', one.asideOrder, one.order)
    redis.call('PERSIST', one.items)
    redis.call('PERSIST', one.order)
  end
  if state.known ~= 1 then
    redis.call('SADD', KEYS[2], one.path)
    state.known = 1
    if part.assigned ~= '' then redis.call('HSETNX', one.meta, 'assigned', part.assigned) end
  end
  wrote(math.max(1, #changes))
  local rev = w - #changes
  for _, change in ipairs(changes) do
    local kind, id = change[1], change[2]
    rev = rev + 1
    if snapshot and change[4] then keepForSnapshot(one, id) end
    if kind == 'remove' then
      redis.call('HDEL', one.items, id)
      redis.call('ZREM', one.order, id)
    else
      redis.call('HSET', one.items, id, string.format('%.0f', rev) .. ':' .. change[3])
      if not change[4] then redis.call('ZADD', one.order, 'NX', rev, id) end
    end
  end
  state.size, state.meta, state.seq = part.size, one.meta, string.format('%.0f', w)
  if part.set ~= '' then redis.call('HSET', one.meta, 'assigned', part.set) end
end
local function attempt(at)
  if ARGV[at] ~= '' and epoch ~= ARGV[at] then return {'began'} end
  local parts = {}
  local count = tonumber(ARGV[at + 1])
  at = at + 2
  for index = 1, count do
    local part, other = look(all[tonumber(ARGV[at])], at + 1)
    if not part then return other end
    parts[index], at = part, other
  end
  for _, part in ipairs(parts) do make(part) end
  return 1
end
local at, reply = 2 + #all, {0, 0}
while at <= #ARGV do
  reply[#reply + 1] = attempt(at + 1)
  at = at + 1 + tonumber(ARGV[at])
end
if own ~= wasOwn then
  for _, state in pairs(states) do
    if state.seq then redis.call('HSET', state.meta, 'seq', state.seq) end
  end
  reply[1], reply[2] = w, own
  redis.call('HSET', KEYS[1], 'w', string.format('%.0f', w), 'w:' .. ARGV[1], own)
  if wasOwn == 0 then redis.call('PERSIST', KEYS[1]) end
end
return reply`

/**
 * Stores what several pieces of work have changed, one after the other, each where what it was decided by is as it was:
 * `[w, own, result, …]`. A result is 1, or says why nothing of that piece was stored: `[changed]`, `[began]` where the
 * session began again, `[unfilled, path]`, `[exists, path, id]`, `[full, path, most]`.
 */
export const commit = defineScript('commit', [], COMMIT)
/** The same, for changes that only take items away. */
export const commitRemoval = defineScript('commitRemoval', ['allow-oom'], COMMIT)
/** The same, for none: whether all is as it was. */
export const check = defineScript('check', ['no-writes'], COMMIT)
