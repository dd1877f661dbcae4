import { createHash } from 'node:crypto'

/** A script that the server runs as one step. */
export interface Script {
  readonly name: string
  readonly source: string
  /** What the server knows it by. */
  readonly sha: string
  /** Whether it changes nothing, so that nothing is uncertain of one whose answer was lost. */
  readonly isReadOnly: boolean
}

/** The pairs that a reply such as that of HGETALL lists flat. */
export function pairsOf(flat: readonly string[]): (readonly [name: string, value: string])[] {
  return Array.from(
    { length: flat.length / 2 },
    (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? ''] as const,
  )
}

/** Asks the server. */
export interface Ask {
  /**
   * Runs a script; replies are as those of RESP 2.
   * @throws StateUnavailable, StateUncertain, StateFull, StateLost. Nothing is ever sent twice
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** One command. @param isReadOnly whether nothing is uncertain of it when its answer is lost */
  command(args: readonly string[], isReadOnly?: boolean): Promise<unknown>
}

/** `no-writes`: changes nothing; `allow-oom`: only frees memory, or needs none to speak of. */
type Flag = 'no-writes' | 'allow-oom'

/** A script in Lua. Memory is checked before it starts, so that a full server changes nothing by half. */
export function defineScript(name: string, flags: readonly Flag[], lua: string): Script {
  const source = `#!lua${flags.length === 0 ? '' : ` flags=${flags.join(',')}`}\n${lua.trim()}\n`
  return {
    ...{ name, source, isReadOnly: flags.includes('no-writes') },
    sha: createHash('sha1').update(source).digest('hex'),
  }
}

/** Says which incarnation of the state this is, and makes it one where there is none: `[born, made]`. */
export const meet = defineScript(
  'meet',
  [],
  `local born = redis.call('GET', KEYS[1])
if born then return {born, 0} end
if ARGV[1] == '' then return {'', 0} end
redis.call('SET', KEYS[1], ARGV[1])
return {ARGV[1], 1}`,
)

/** Begins another incarnation in place of the one that was seen; returns the one that is there then. */
export const beginAnew = defineScript(
  'beginAnew',
  [],
  `local born = redis.call('GET', KEYS[1]) or ''
if born ~= ARGV[1] then return born end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]`,
)
