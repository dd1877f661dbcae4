import { entryOf } from '../../grouping.ts'
import type { NameValue } from '../exchange.ts'
import { formOf, readBodyValue } from '../match/body-value.ts'
import { headDistance } from '../match/differences.ts'
import { compileMatch, headOf, type MatchRules } from '../match/match.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { createExchangeIndex, type Entry, type ExchangeIndex, hashOf } from './exchange-index.ts'
import type { ReplayOptions } from './replay-options.ts'
import {
  type ChangedValue,
  changedValues,
  freshParameters,
  type IgnoreOptions,
  joinOptions,
} from './volatile.ts'

/** A request that was not found, as it can be put to a recording again. */
export interface Missed {
  readonly method: string
  readonly host: string | undefined
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly isUpgrade: boolean
  readonly contentType: string
  /** The body without its content coding; absent where it has none, or one that is not kept. */
  readonly bytes: Buffer | undefined
}

/** Why requests were not found. */
export interface MissReport {
  /** How many came. */
  readonly missed: number
  /** What changed from run to run. */
  readonly changed: readonly (Omit<ChangedValue, 'option'> & {
    readonly requests: number
    readonly example: string
  })[]
  /** The options with which `found` of them are found: so many were, when they were put to the recording again. */
  readonly options: IgnoreOptions
  readonly found: number
  /** Method and URL of others, each once. */
  readonly others: readonly string[]
}

/** Keeps what was not found, to say why. */
export interface MissLog {
  note(missed: Missed): void
  report(): Promise<MissReport>
  clear(): void
}

const MAX_KEPT = 1000
const MAX_KEPT_BYTES = 8 * 1024 * 1024
const MAX_BODY = 64 * 1024
const MAX_COMPARED = 200
const MAX_OTHERS = 20

interface Kept {
  readonly missed: Missed
  count: number
}

/** @param options those that the requests were looked for with */
export function createMissLog(directory: string, redactor: Redactor, options: ReplayOptions): MissLog {
  const kept = new Map<string, Kept>()
  let bytes = 0
  let count = 0

  const find = async ({ missed }: Kept, rules: MatchRules, index: ExchangeIndex): Promise<boolean> => {
    const { head, hash } = await compared(missed, rules, redactor)
    return index.alike(head, missed.isUpgrade)?.byBody.has(hash) === true
  }
  const foundWith = async (more: IgnoreOptions): Promise<ReadonlySet<Kept>> => {
    const rules = compileMatch(joined(options, more), true)
    const index = await createExchangeIndex(directory, rules, redactor)
    try {
      const found = new Set<Kept>()
      for (const each of kept.values()) if (await find(each, rules, index)) found.add(each)
      return found
    } finally {
      await index.close()
    }
  }
  // What changed in each since something like it was recorded.
  const explain = async (): Promise<Map<Kept, readonly ChangedValue[]>> => {
    const rules = compileMatch(options, true)
    const index = await createExchangeIndex(directory, rules, redactor)
    try {
      const explained = new Map<Kept, readonly ChangedValue[]>()
      const isFresh = freshParameters(index.all().map(({ head }) => head))
      for (const each of kept.values()) {
        const changes = await explainOne(each.missed, { rules, index, redactor, isFresh })
        if (changes !== undefined) explained.set(each, changes)
      }
      return explained
    } finally {
      await index.close()
    }
  }
  return {
    note(missed) {
      count++
      const { bytes: body, ...head } = missed
      const small = body !== undefined && body.length <= MAX_BODY ? body : undefined
      const key = hashOf(JSON.stringify([head, body && hashOf(body.toString('latin1'))]))
      const isNew = !kept.has(key)
      if (isNew && (kept.size >= MAX_KEPT || bytes > MAX_KEPT_BYTES)) return
      entryOf(kept, key, () => ({ missed: { ...missed, bytes: small }, count: 0 })).count++
      if (isNew) bytes += (small?.length ?? 0) + missed.url.length
    },
    async report() {
      const explained = kept.size === 0 ? new Map<Kept, readonly ChangedValue[]>() : await explain()
      let found: ReadonlySet<Kept> = new Set()
      let proposed: IgnoreOptions = {}
      // What does not help is taken out, and what is left is checked again.
      for (;;) {
        proposed = joinOptions([...explained.values()].flat())
        found = Object.keys(proposed).length === 0 ? new Set() : await foundWith(proposed)
        const useless = [...explained.keys()].filter((each) => !found.has(each))
        if (useless.length === 0) break
        for (const each of useless) explained.delete(each)
      }
      const others = [...kept.values()].filter((each) => !found.has(each))
      return {
        missed: count,
        changed: tally(explained, redactor),
        options: proposed,
        found: [...found].reduce((sum, each) => sum + each.count, 0),
        others: [...new Set(others.map(({ missed }) => named(missed, redactor)))].slice(0, MAX_OTHERS),
      }
    },
    clear() {
      kept.clear()
      bytes = 0
      count = 0
    },
  }
}

async function compared(
  missed: Missed,
  rules: MatchRules,
  redactor: Redactor,
): Promise<{ head: Entry['head']; body: Awaited<ReturnType<typeof readBodyValue>>; hash: string }> {
  const { bytes, contentType, url } = missed
  const body =
    bytes === undefined
      ? ({ kind: 'none' } as const)
      : await readBodyValue(bytes, contentType, rules, redactor.at(url))
  return { head: headOf(missed, redactor, rules), body, hash: hashOf(formOf(body)) }
}

// The recorded request that needs the fewest options, of those that are nearest.
async function explainOne(
  missed: Missed,
  {
    rules,
    index,
    redactor,
    isFresh,
  }: {
    readonly rules: MatchRules
    readonly index: ExchangeIndex
    readonly redactor: Redactor
    readonly isFresh: ReturnType<typeof freshParameters>
  },
): Promise<readonly ChangedValue[] | undefined> {
  const own = await compared(missed, rules, redactor)
  const candidates = index
    .all()
    .filter(({ head, isUpgrade }) => head.method === missed.method && isUpgrade === missed.isUpgrade)
    .map((entry) => ({ entry, distance: headDistance(own.head, entry.head) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_COMPARED)
  let best: readonly ChangedValue[] | undefined
  for (const { entry } of candidates) {
    const isSameBody = entry.body === own.hash
    const exchange = isSameBody ? undefined : await index.read(entry)
    const body = exchange === undefined ? own.body : await index.bodyOf(exchange)
    const changes = changedValues(own, { head: entry.head, body }, isFresh)
    if (changes !== undefined && changes.length > 0 && changes.length < (best?.length ?? Infinity))
      best = changes
    if (best?.length === 1) break
  }
  return best
}

function joined(options: ReplayOptions, more: IgnoreOptions): ReplayOptions {
  return {
    ...options,
    ignoreHost: more.ignoreHost ?? options.ignoreHost,
    ignoreQuery: [...(options.ignoreQuery ?? []), ...(more.ignoreQuery ?? [])],
    ignoreBody: [...(options.ignoreBody ?? []), ...(more.ignoreBody ?? [])],
    ignorePatterns: [...(options.ignorePatterns ?? []), ...(more.ignorePatterns ?? [])],
  }
}

function tally(
  explained: ReadonlyMap<Kept, readonly ChangedValue[]>,
  redactor: Redactor,
): MissReport['changed'] {
  const byPlace = new Map<string, MissReport['changed'][number] & { requests: number }>()
  for (const [{ missed, count }, changes] of explained) {
    for (const { option: _option, ...change } of changes) {
      const first = { ...change, requests: 0, example: named(missed, redactor) }
      entryOf(byPlace, change.where, () => first).requests += count
    }
  }
  return [...byPlace.values()]
}

function named({ method, url }: Missed, redactor: Redactor): string {
  return `${method} ${redactor.url(url)}`
}

const FLAGS = {
  ignoreQuery: '--ignore-query',
  ignoreBody: '--ignore-body',
  ignorePatterns: '--ignore-pattern',
} as const

/** The options as a command takes them. */
export function flagsOf(options: IgnoreOptions): string {
  const lists = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const values = options[name as keyof typeof FLAGS] ?? []
    return values.length === 0 ? [] : [`${flag} ${values.map(quoted).join(' ')}`]
  })
  return [...(options.ignoreHost === true ? ['--ignore-host'] : []), ...lists].join(' ')
}

function quoted(value: string): string {
  return /^[\w./:@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

/** The report for people. */
export function missText({ missed, changed, options, found, others }: MissReport): string {
  const lines = [`${plural(missed, 'request')} ${missed === 1 ? 'was' : 'were'} not in the recording.`]
  if (changed.length > 0) {
    lines.push('What changed from run to run:')
    for (const { where, recorded, requested, requests, example } of changed)
      lines.push(
        `  ${where}: ${recorded} instead of ${requested} (${plural(requests, 'request')}, such as ${example})`,
      )
    lines.push(
      `With these options, ${found} of ${missed} ${found === 1 ? 'is' : 'are'} found; this was checked:`,
    )
    lines.push(`  ${flagsOf(options)}`)
  }
  if (others.length > 0)
    lines.push('Not like anything that was recorded:', ...others.map((each) => `  ${each}`))
  return `${lines.join('\n')}\n`
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
