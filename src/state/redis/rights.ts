import { sessionPrefix } from './keys.ts'
import { defineScript, type Ask } from './scripts.ts'

/** Every command that gateways use on keys, in an order in which each succeeds. `@1` is the first of the keys that are tried. */
export const TRIED = [
  ...['SET @1 a', 'GET @1', 'INCR @2', 'EXISTS @1', 'PTTL @1', 'EXPIRE @1 9', 'PEXPIRE @1 9', 'PERSIST @1'],
  ...['RENAME @1 @2', 'DEL @2', 'UNLINK @2', 'TIME'],
  ...['HSET @1 a 1', 'HSETNX @1 b b', 'HGET @1 a', 'HMGET @1 a b', 'HGETALL @1', 'HEXISTS @1 a', 'HLEN @1'],
  ...['HINCRBY @1 a 1', 'HDEL @1 a'],
  ...['RPUSH @2 a b', 'LINDEX @2 0', 'LLEN @2', 'LPOP @2'],
  ...['SADD @3 a', 'SISMEMBER @3 a', 'SMEMBERS @3', 'SUNION @3 @3', 'SREM @3 a'],
  ...['ZADD @4 1 a 2 b', 'ZCARD @4', 'ZCOUNT @4 0 9', 'ZRANGE @4 0 9', 'ZREVRANGE @4 0 9', 'ZSCORE @4 a'],
  ...['ZRANGEBYSCORE @4 0 9', 'ZPOPMIN @4', 'ZREMRANGEBYRANK @4 0 0', 'ZREM @4 b'],
  ...['XADD @5 1-0 a b', 'XLEN @5', 'XRANGE @5 - +', 'XREVRANGE @5 + -', 'XREAD STREAMS @5 0'],
  'XDEL @5 1-0',
]
const KEYS = 5

const tryAll = defineScript(
  'tryAll',
  ['allow-oom'],
  `
  local refused = {}
  for _, line in ipairs(ARGV) do
    local words = {}
    for word in string.gmatch(line, '%S+') do
      table.insert(words, KEYS[tonumber(string.match(word, '^@(%d)$') or 0)] or word)
    end
    local reply = redis.pcall(unpack(words))
    if type(reply) == 'table' and reply.err then table.insert(refused, words[1] .. ' ' .. reply.err) end
  end
  for _, key in ipairs(KEYS) do redis.pcall('UNLINK', key) end
  return refused
  `,
)

/**
 * Which commands the server does not let this user run, on keys of its own that are gone again at once.
 * @throws StateUnavailable
 */
export async function problemsOfRights(ask: Ask, namespace: string, where: string): Promise<string[]> {
  const problems: string[] = []
  for (const prefix of [`${namespace}:`, `${sessionPrefix(namespace, 'a')}:`]) {
    const keys = Array.from({ length: KEYS }, (_, index) => `${prefix}tried:${index}`)
    try {
      const call = [tryAll.source, String(KEYS), ...keys]
      const refused = (await ask.command(['EVAL', ...call, ...TRIED])) as string[]
      await ask.run(tryAll, keys, [])
      if (refused.length === 0) continue
      const [reason = ''] = refused.map((each) => each.slice(each.indexOf(' ') + 1))
      const commands = refused.map((each) => each.slice(0, each.indexOf(' ')))
      const named = commands.length > TRIED.length / 2 ? 'most commands' : commands.join(', ')
      problems.push(`${where} does not let this user run ${named} on ${prefix}*: ${reason}`)
    } catch (error) {
      const { message } = error as Error
      if (!/\bNOPERM\b/.test(message)) throw error
      problems.push(`${where} does not let this user run scripts on ${prefix}*: ${message}`)
    }
  }
  return problems
}
