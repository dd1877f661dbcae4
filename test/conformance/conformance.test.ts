import { beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../flow/kit.ts'
import { ORACLES, programOf, startOracle } from './oracles.ts'
import { exchange, mistakeOf } from './exchange.ts'
import type { Difference } from './rule.ts'
import { RULES } from './rules/rules.ts'
import { startKnowingUpstream, type KnowingUpstream } from './upstream.ts'
import { forwardingEntries, replayingEntries, run, type Entry } from './entries.ts'

let upstream: KnowingUpstream
let entries: Map<string, Entry>

beforeAll(async () => {
  upstream = await startKnowingUpstream()
  const recording = openFolder().path
  const all = [await run(), ...(await forwardingEntries(upstream, recording))]
  entries = new Map(all.map((entry) => [entry.name, entry]))
  const recorder = entries.get('record') as Entry
  for (const rule of RULES) await exchange(recorder, rule, upstream)
  for (const entry of await replayingEntries(upstream, recording)) entries.set(entry.name, entry)
})

const ENTRIES = [
  ...['run', 'forward', 'absolute-form', 'CONNECT that ends here', 'TLS', 'record', 'replay', 'spy'],
  ...['TLS with the gateway', 'SOCKS5 that ends here'],
]

describe.for(ENTRIES)('by %s', (name) => {
  it.for(RULES.map((rule) => [rule.section, rule.rule, rule] as const))(
    'RFC %s: %s',
    async ([, , rule], { skip }) => {
      const entry = entries.get(name) as Entry
      if (rule.isForwarding === true && !entry.isForwarding) skip('nothing is forwarded')
      if (rule.isBroken === true && name === 'replay') skip('there is no answer to record')
      expect(mistakeOf(rule, entry, await exchange(entry, rule, upstream))).toBeUndefined()
    },
  )
})

describe.for(ORACLES)('%s', (name) => {
  const program = programOf(name)
  let entry: Entry

  beforeAll(async () => {
    if (program !== undefined) entry = await startOracle(name, program, upstream.port)
  })

  it.for(RULES.map((rule) => [rule.section, rule.rule, rule] as const))(
    `does as said of RFC %s: %s (${name})`,
    async ([, , rule], { skip }) => {
      if (program === undefined) skip(`${name} is not installed: apt-get install ${name}`)
      const [answers, why]: Difference = rule[name] ?? ['', '']
      // Some leave the connection open where the rule wants its end.
      const seen = await exchange(entry, rule, upstream, why === '' ? undefined : 1000)
      if (why === '') expect(mistakeOf(rule, entry, seen)).toBeUndefined()
      else if (answers === '?') expect(seen.text).toMatch(/^HTTP/)
      else if (answers !== '*') expect(mistakeOf({ ...rule, answers }, entry, seen)).toBeUndefined()
      else expect(mistakeOf(rule, entry, seen)).toBeDefined()
    },
  )
})
