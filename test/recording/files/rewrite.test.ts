import { describe, expect, it } from 'vitest'
import { allBytes, collect, temporaryDirectory, writeRecording } from '../samples.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { type PruneOptions, pruneRecording } from '../../../src/recording/files/rewrite.ts'

const BIG = 'x'.repeat(40_000)
const PATHS = ['/a', '/a', '/b', '/a']

async function pruned(options: PruneOptions): Promise<{ done: object; left: string[] }> {
  const directory = await writeRecording(
    await temporaryDirectory(),
    ...PATHS.map((path, index) => ({
      startedAt: new Date(Date.UTC(2026, 0, index + 1)),
      url: `https://api.example.com${path}`,
      responseHeaders: [['content-type', 'text/plain']] as const,
      responseBody: path === '/b' ? BIG : 'short',
    })),
  )
  const { extent: _extent, ...done } = await pruneRecording(directory, options)
  const left = (await collect(readExchanges(directory))).map(
    ({ startedDateTime, request }) => `${startedDateTime.slice(8, 10)} ${new URL(request.url).pathname}`,
  )
  const { paths } = await allBytes(directory)
  expect(paths.filter((path) => path.startsWith('bodies/'))).toHaveLength(left.includes('03 /b') ? 1 : 0)
  return { done, left }
}

describe('pruneRecording', () => {
  it('keeps the newest by number, and takes out bodies that nothing names', async () => {
    expect(await pruned({ maxExchanges: 1 })).toEqual({
      done: { kept: 1, removed: 3, removedBodies: 1 },
      left: ['04 /a'],
    })
  })

  it('keeps the newest by size', async () => {
    expect((await pruned({ maxBytes: 41_600 })).left).toEqual(['03 /b', '04 /a'])
    expect((await pruned({ maxBytes: 39_000 })).left).toEqual(['04 /a'])
    expect((await pruned({ maxBytes: 10 })).left).toEqual([])
  })

  it('takes out what is old', async () => {
    expect((await pruned({ before: new Date('2026-01-03T00:00:00Z') })).left).toEqual(['03 /b', '04 /a'])
  })

  it('takes out what repeats the one before of the same request', async () => {
    expect((await pruned({ duplicates: true })).left).toEqual(['01 /a', '03 /b'])
  })

  it('takes out nothing that it need not', async () => {
    expect((await pruned({})).done).toEqual({ kept: 4, removed: 0, removedBodies: 0 })
  })

  it('refuses what is not a recording', async () => {
    await expect(pruneRecording(await temporaryDirectory(), {})).rejects.toThrow(RecordingUnusable)
  })
})
