import fc from 'fast-check'
import { beforeAll, describe, it } from 'vitest'
import { forwardingEntries, replayingEntries, run, type Entry } from '../conformance/entries.ts'
import { startKnowingUpstream, type KnowingUpstream } from '../conformance/upstream.ts'
import { openFolder } from '../flow/kit.ts'
import { pipelines } from './pipelines.ts'
import { runPipeline } from './run-pipeline.ts'
import { CASES, createHeapWatch, SEED } from './settings.ts'

const ALL = [
  ...['run', 'forward', 'absolute-form', 'CONNECT that ends here', 'record', 'TLS', 'spy'],
  ...['TLS with the gateway', 'SOCKS5 that ends here'],
]
const NAMES = process.env['SIM_FUZZ_ENTRIES']?.split(',') ?? ALL

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
    const heap = createHeapWatch()
    await fc.assert(
      fc.asyncProperty(pipelines, async (pipeline) => {
        await runPipeline(entry, upstream, pipeline, `${name.replaceAll(/\W/g, '')}${count++}`)
        heap.look()
      }),
      { numRuns: CASES, seed: SEED },
    )
    heap.check()
  })
})
