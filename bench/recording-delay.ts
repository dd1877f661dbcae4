// How long recording bodies holds the event loop, by type and size: npm run bench:recording-delay
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

// The thread that long exchanges are redacted in is one of the build.
const built = (name: string): Promise<unknown> =>
  import(new URL(`../dist/src/recording/${name}.js`, import.meta.url).href)
const { createRecorder } = (await built(
  'capture/recorder',
)) as typeof import('../src/recording/capture/recorder.ts')
const { createRedactor } = (await built(
  'redaction/redactor',
)) as typeof import('../src/recording/redaction/redactor.ts')

const MIB = 1024 * 1024
const ROUNDS = 12

const repeated = (unit: string, size: number): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const rows = (size: number): string => {
  const row = JSON.stringify({
    id: 4711,
    name: 'Ann & Bob',
    url: 'https://example.com/a?page=2',
    at: '2026-01-31',
  })
  return `{"token":"s3cret-0f-its-0wn","rows":[${repeated(`${row},`, size).replace(/,[^}]*$|,\{[^}]*$/, '')}]}`
}
const BODIES: Readonly<Record<string, (size: number) => string>> = {
  'application/json': rows,
  'text/html': (size) =>
    repeated(
      '<p class="a">Some <a href="/x?page=2&z=1">text</a>: it is = so.</p><input name="q" value="x">\n',
      size,
    ),
  'application/xml': (size) =>
    repeated('<row id="1"><name>Ann</name><link href="https://example.com/x"/></row>\n', size),
  'text/plain': (size) => repeated('Some text: it goes on = and on, https://example.com/x?page=2\n', size),
  'application/javascript': (size) =>
    repeated('function a(b,c){var d=b.token,e=c[0]||"x";return{token:d,f:e+1}}\n', size),
}

async function measure(work: () => Promise<void>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  await setTimeout(50)
  histogram.enable()
  await work()
  histogram.disable()
  return histogram.percentile(99.9) / 1e6
}

const directory = await mkdtemp(join(tmpdir(), 'sim-recording-delay-'))
const recorder = await createRecorder({
  directory: join(directory, 'recording'),
  redactor: createRedactor({}, Buffer.alloc(32, 1)),
})
const idle = await measure(() => setTimeout(1000))
process.stdout.write(`idle: ${idle.toFixed(1)} ms\n`)
for (const size of [64 * 1024, MIB, 8 * MIB - 1024]) {
  for (const [type, make] of Object.entries(BODIES)) {
    const body = Buffer.from(make(size))
    const delay = await measure(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const head = { method: 'GET', url: 'http://127.0.0.1/', httpVersion: 'HTTP/1.1', headers: [] }
        const tap = recorder.begin(head)
        tap
          .response({
            status: 200,
            statusText: 'OK',
            httpVersion: 'HTTP/1.1',
            headers: [['content-type', type]],
          })
          .body(body)
        tap.complete()
        await recorder.flush()
        await setTimeout(10)
      }
    })
    const bar = size <= MIB ? 50 : 150
    const over = delay - idle
    process.stdout.write(
      `${type} of ${(size / MIB).toFixed(2)} MiB: ${over.toFixed(1)} ms, ${over <= bar ? 'within' : 'OVER'} ${bar} ms\n`,
    )
  }
}
await recorder.close()
await rm(directory, { recursive: true })
