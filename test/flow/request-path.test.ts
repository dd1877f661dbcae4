import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = resolve(import.meta.dirname, 'request-path.mjs')
const index = resolve(import.meta.dirname, '../../dist/src/index.js')

/** How many files and functions one request runs. */
interface Path {
  readonly files: number
  readonly functions: number
}

// What a reader has to follow; each function costs little, and adding one is easy.
it('takes a request through few files and functions', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, index])
  const { generated, forwarded, recorded } = JSON.parse(stdout) as Record<string, Path>
  expect(generated?.files).toBeGreaterThan(10)
  expect(generated?.files).toBeLessThanOrEqual(20)
  expect(generated?.functions).toBeLessThanOrEqual(60)
  expect(forwarded?.files).toBeLessThanOrEqual(28)
  expect(recorded?.files).toBeLessThanOrEqual(45)
})
