import { beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../flow/kit.ts'
import { ORACLES, programOf, startOracle } from './oracles.ts'
import { exchange, mistakeOf } from './exchange.ts'
import type { Difference, Rule } from './rule.ts'
import { ANSWERS } from './rules/answers.ts'
import { CONNECTION } from './rules/connection.ts'
import { FRAMING } from './rules/framing.ts'
import { PASSING } from './rules/passing.ts'
import { REQUEST } from './rules/request.ts'
import { startKnowingUpstream, type KnowingUpstream } from './upstream.ts'
import { forwardingWays, replayingWays, run, type WayIn } from './ways-in.ts'

const RULES: readonly Rule[] = [...REQUEST, ...FRAMING, ...ANSWERS, ...CONNECTION, ...PASSING]

let upstream: KnowingUpstream
let ways: Map<string, WayIn>

beforeAll(async () => {
  upstream = await startKnowingUpstream()
  const recording = openFolder().path
  const all = [await run(), ...(await forwardingWays(upstream, recording))]
  ways = new Map(all.map((way) => [way.name, way]))
  const recorder = ways.get('record') as WayIn
  for (const rule of RULES) await exchange(recorder, rule, upstream)
  for (const way of await replayingWays(upstream, recording)) ways.set(way.name, way)
})

describe.for(['run', 'forward', 'absolute-form', 'CONNECT that ends here', 'TLS', 'record', 'replay', 'spy'])(
  'by %s',
  (name) => {
    it.for(RULES.map((rule) => [rule.section, rule.rule, rule] as const))(
      'RFC %s: %s',
      async ([, , rule], { skip }) => {
        const way = ways.get(name) as WayIn
        if (rule.isForwarding === true && !way.isForwarding) skip('nothing is forwarded')
        if (rule.isBroken === true && name === 'replay') skip('there is no answer to record')
        if (rule.ends === 'half-closed' && !way.hasHalfClose) skip('TLS has no half-closed connections')
        expect(mistakeOf(rule, way, await exchange(way, rule, upstream))).toBeUndefined()
      },
    )
  },
)

describe.for(ORACLES)('%s', (name) => {
  const program = programOf(name)
  let way: WayIn

  beforeAll(async () => {
    if (program !== undefined) way = await startOracle(name, program, upstream.port)
  })

  it.for(RULES.map((rule) => [rule.section, rule.rule, rule] as const))(
    `does as said of RFC %s: %s (${name})`,
    async ([, , rule], { skip }) => {
      if (program === undefined) skip(`${name} is not installed: apt-get install ${name}`)
      const [answers, why]: Difference = rule[name] ?? ['', '']
      const seen = await exchange(way, rule, upstream)
      if (why === '') expect(mistakeOf(rule, way, seen)).toBeUndefined()
      else if (answers === '?') expect(seen.text).toMatch(/^HTTP/)
      else if (answers !== '*') expect(mistakeOf({ ...rule, answers }, way, seen)).toBeUndefined()
      else expect(mistakeOf(rule, way, seen)).toBeDefined()
    },
  )
})
