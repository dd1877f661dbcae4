import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  openRecording,
  readExchanges,
  type RecordingLimits,
} from '../../../src/recording/files/recording-files.ts'
import { readBody } from '../../../src/recording/files/read-body.ts'
import { collect, exchangeOf, redact, temporaryDirectory } from '../samples.ts'

interface Left {
  readonly directory: string
  readonly paths: string[]
  readonly bytes: number
}

function entry(number: number, size = 10, path = String(number)): ReturnType<typeof redact> {
  const responseBody = Buffer.alloc(size, `body ${number} `)
  const responseHeaders = [['content-type', 'text/plain']] as const
  return redact(exchangeOf({ url: `https://api.example.com/${path}`, responseHeaders, responseBody }))
}

async function sizeOf(directory: string): Promise<number> {
  const names = (await readdir(join(directory, 'bodies'))).map((name) => join('bodies', name))
  const sizes = await Promise.all(['exchanges.ndjson', ...names].map((name) => stat(join(directory, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

async function write(limits: RecordingLimits, sizes: readonly number[]): Promise<Left> {
  const directory = await temporaryDirectory()
  const recording = await openRecording(directory, limits)
  for (const [index, size] of sizes.entries()) {
    await recording.append(entry(index, size))
    if (limits.maxBytes !== undefined) expect(await sizeOf(directory)).toBeLessThanOrEqual(limits.maxBytes)
  }
  await recording.close()
  return { directory, ...(await readLeft(directory)) }
}

async function readLeft(directory: string): Promise<Omit<Left, 'directory'>> {
  const exchanges = await collect(readExchanges(directory))
  // Every body that is named is there, and none else.
  const named = exchanges.flatMap(({ response: { content } }) => content._sha256 ?? [])
  expect((await readdir(join(directory, 'bodies'))).toSorted()).toEqual([...new Set(named)].toSorted())
  for (const { response } of exchanges) expect(await readBody(directory, response.content)).toBeDefined()
  const paths = exchanges.map(({ request }) => new URL(request.url).pathname.slice(1))
  return { paths, bytes: await sizeOf(directory) }
}

describe('a bounded recording', () => {
  it('keeps the newest by number, down to three quarters', async () => {
    const { paths } = await write({ maxExchanges: 8 }, Array<number>(9).fill(10))
    expect(paths).toEqual(['3', '4', '5', '6', '7', '8'])
    expect((await write({ maxExchanges: 1 }, [10, 10])).paths).toEqual(['1'])
  })

  it('keeps the newest by size, bodies in files included', async () => {
    const maxBytes = 200_000
    const { paths, bytes } = await write({ maxBytes }, Array<number>(20).fill(40_000))
    expect(paths.at(-1)).toBe('19')
    expect(bytes).toBeGreaterThan(80_000)
  })

  it('counts what was there before it was opened', async () => {
    const { directory } = await write({}, Array<number>(10).fill(10))
    const recording = await openRecording(directory, { maxExchanges: 4 })
    await recording.append(entry(10))
    await recording.close()
    expect((await readLeft(directory)).paths).toEqual(['8', '9', '10'])
  })

  it('is within its bounds at any moment, whatever comes', async () => {
    const sizes = fc.array(fc.constantFrom(10, 2_000, 33_000, 50_000), { minLength: 5, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 10 }), async (all, maxExchanges) => {
        const { paths } = await write({ maxExchanges, maxBytes: 120_000 }, all)
        expect(paths.length).toBeLessThanOrEqual(maxExchanges)
        expect(paths).toEqual(all.map((_, index) => String(index)).slice(all.length - paths.length))
      }),
      { numRuns: 15 },
    )
  })

  it('removes no body that an exchange under way is about to name', async () => {
    const directory = await temporaryDirectory()
    const recording = await openRecording(directory, { maxExchanges: 2 })
    const body = await recording.createBodyFile()
    await body.write(Buffer.from('under way'))
    const sha256 = await body.keep()
    for (let number = 0; number < 10; number++) await recording.append(entry(number, 40_000))
    expect(await readdir(join(directory, 'bodies'))).toContain(sha256)
    const last = entry(10)
    const content = { size: 9, mimeType: 'image/png', _file: `bodies/${sha256}`, _sha256: sha256 }
    await recording.append({ ...last, response: { ...last.response, content } })
    await recording.close()
    expect((await readLeft(directory)).paths.at(-1)).toBe('10')
  })

  it('leaves the old one whole when it cannot be rewritten', async () => {
    const { directory } = await write({}, [10, 10, 10])
    await writeFile(join(directory, 'exchanges.ndjson.pruned'), 'what a crash left')
    const before = await readFile(join(directory, 'exchanges.ndjson'), 'utf8')
    const recording = await openRecording(directory, { maxExchanges: 3 })
    await recording.append(entry(3))
    await recording.close()
    const { paths } = await readLeft(directory)
    expect(before.split('\n')).toHaveLength(4)
    expect(paths).toEqual(['2', '3'])
    expect(await readdir(directory)).toEqual(['bodies', 'exchanges.ndjson'])
  })
})

describe('a recording without repeats', () => {
  it('leaves out what says the same as the one before of the same request', async () => {
    const directory = await temporaryDirectory()
    const written: number[] = []
    for (const numbers of [
      [1, 1, 2, 1],
      [1, 2],
    ]) {
      const recording = await openRecording(directory, { dedupe: true })
      for (const number of numbers) written.push(await recording.append(entry(number, 10, 'same')))
      await recording.close()
    }
    expect(written).toEqual([1, 0, 1, 1, 0, 1])
  })
})
