import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { forwardingEntries, type Entry } from '../conformance/entries.ts'
import { ORACLES, programOf, startOracle } from '../conformance/oracles.ts'
import { startKnowingUpstream, type KnowingUpstream } from '../conformance/upstream.ts'
import { openFolder } from '../flow/kit.ts'
import { isSafe } from '../../src/message.ts'
import { mayDiffer } from './known-differences.ts'
import { pipelines, type Pipeline } from './pipelines.ts'
import { sendPipeline, textOfPipeline } from './run-pipeline.ts'
import { CASES, SEED } from './settings.ts'

/** What became of a pipeline, without what two servers may choose. */
interface Outcome {
  /** The first digits of the statuses, in order. */
  readonly classes: string
  readonly reached: readonly string[]
}

let upstream: KnowingUpstream
let forward: Entry

beforeAll(async () => {
  upstream = await startKnowingUpstream(setImmediate)
  const entries = await forwardingEntries(upstream, openFolder().path)
  forward = entries.find(({ name }) => name === 'forward') as Entry
})

async function outcomeOf(entry: Entry, pipeline: Pipeline, run: string): Promise<Outcome> {
  upstream.taken()
  const text = await sendPipeline(entry, pipeline, run)
  const classes = Array.from(text.matchAll(/HTTP\/1\.[01] ([2-5])\d\d/g), ([, each]) => each).join('')
  const lines = upstream.taken().map(({ line }) => line.replace(`${run}-`, ''))
  return { classes, reached: inOneOrder(lines) }
}

// What is safe may reach the upstream in any order (RFC 9112, section 9.3.2).
function inOneOrder(lines: readonly string[]): readonly string[] {
  const groups: string[][] = []
  let wasSafe = false
  for (const line of lines) {
    const isSafeNow = isSafe(line.slice(0, line.indexOf(' ')))
    if (isSafeNow && wasSafe) groups.at(-1)?.push(line)
    else groups.push([line])
    wasSafe = isSafeNow
  }
  return groups.flatMap((group) => group.toSorted())
}

describe.for(ORACLES)('%s', (name) => {
  const program = programOf(name)

  it(
    `takes pipelines as the gateway does, but where a rule says why (${name})`,
    { timeout: CASES * 400 + 60_000 },
    async ({ skip }) => {
      if (program === undefined) skip(`${name} is not installed: apt-get install ${name}`)
      const oracle = await startOracle(name, program as string, upstream.port)
      let count = 0
      let compared = 0
      await fc.assert(
        fc.asyncProperty(pipelines, async (any) => {
          const pipeline: Pipeline = { ...any, ending: 'next' }
          const run = `${name}${count++}`
          if (mayDiffer(name, textOfPipeline(forward, pipeline, run))) return
          compared++
          expect(await outcomeOf(forward, pipeline, run)).toEqual(await outcomeOf(oracle, pipeline, run))
        }),
        { numRuns: CASES, seed: SEED },
      )
      expect(compared * 10).toBeGreaterThan(CASES)
    },
  )
})
