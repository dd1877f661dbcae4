import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { forwardingEntries, replayingEntries, run, type Entry } from '../conformance/entries.ts'
import { startKnowingUpstream, type KnowingUpstream } from '../conformance/upstream.ts'
import { openFolder } from '../flow/kit.ts'
import { pipelines } from './pipelines.ts'
import { runPipeline } from './run-pipeline.ts'

// `npm run fuzz` has more of them: SIM_FUZZ_CASES at each entry, or at those that SIM_FUZZ_ENTRIES lists.
const CASES = Number(process.env['SIM_FUZZ_CASES'] ?? 40)
const SEED = Number(process.env['SIM_FUZZ_SEED'] ?? 1)
const ALL = ['run', 'forward', 'absolute-form', 'CONNECT that ends here', 'record', 'TLS', 'spy']
const NAMES = process.env['SIM_FUZZ_ENTRIES']?.split(',') ?? ALL
const MAX_GROWTH = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let upstream: KnowingUpstream
let entries: Map<string, Entry>

beforeAll(async () => {
  upstream = await startKnowingUpstream(setImmediate)
  const recording = openFolder().path
  const all = [await run(), ...(await forwardingEntries(upstream, recording))]
  // Nothing is replayed here, where no request comes twice.
  const spying = (await replayingEntries(upstream, 'recordings/sample')).filter(({ name }) => name === 'spy')
  entries = new Map([...all, ...spying].map((entry) => [entry.name, entry]))
})

describe('pipelines of anything', () => {
  it.for(NAMES)('leave the gateway as it was, by %s', { timeout: CASES * 200 + 60_000 }, async (name) => {
    const entry = entries.get(name) as Entry
    let count = 0
    let early = 0
    await fc.assert(
      fc.asyncProperty(pipelines, async (pipeline) => {
        await runPipeline(entry, upstream, pipeline, `${name.replaceAll(/\W/g, '')}${count++}`)
        if (count === Math.ceil(CASES / 5)) {
          collectGarbage()
          early = process.memoryUsage().heapUsed
        }
      }),
      { numRuns: CASES, seed: SEED },
    )
    collectGarbage()
    expect(process.memoryUsage().heapUsed - early).toBeLessThan(MAX_GROWTH)
  })
})
