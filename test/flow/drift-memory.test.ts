import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { exchangeOf } from '../recording/samples.ts'

const COMMAND = resolve(import.meta.dirname, '../../dist/src/cli/main.js')
const EXCHANGES = 10_000
const HEAP_MEGABYTES = 96

/** Lines of about 12 KiB, each with names that no other has. */
function* lines(): Generator<string> {
  for (let id = 0; id < EXCHANGES; id++) {
    const rates = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`r${id}-${index}`, index]))
    const notes = Array.from({ length: 26 }, (_, index) => `${id} ${index} ${'n'.repeat(400)}`)
    const exchange = exchangeOf({
      url: `https://api.example.com/orders/${id}`,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: JSON.stringify({ id, rates, notes }),
    })
    yield `${JSON.stringify(exchange)}\n`
  }
}

it('compares a recording larger than its memory with itself', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sim-drift-memory-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'bodies'))
  const file = createWriteStream(join(folder, 'exchanges.ndjson'))
  await pipeline(Readable.from(lines()), file)
  expect(file.bytesWritten).toBeGreaterThan(HEAP_MEGABYTES * 1024 * 1024)
  const heap = `--max-old-space-size=${HEAP_MEGABYTES}`
  const args = [heap, COMMAND, 'recordings', 'diff', folder, '--against', folder]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe(`GET /orders/{id}: ${EXCHANGES} exchanges, no drift\n`)
  expect(stderr).toContain('compared 10000 exchanges')
})
