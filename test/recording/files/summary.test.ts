import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRecording } from '../../../src/recording/files/parts.ts'
import { findRecordings, summarize } from '../../../src/recording/files/summary.ts'
import { temporaryDirectory, writeRecording } from '../samples.ts'

describe('a summary', () => {
  it('reports how many, how much, when and of whom', async () => {
    const directory = await writeRecording(
      await temporaryDirectory(),
      { url: 'https://a.example.com/1', startedAt: new Date(1_000), responseBody: Buffer.alloc(50_000) },
      { url: 'https://b.example.com/2', startedAt: new Date(2_000) },
      { url: 'https://a.example.com/3', startedAt: new Date(3_000) },
    )
    const summary = await summarize(directory)
    expect(summary).toMatchObject({
      directory,
      exchanges: 3,
      first: '1970-01-01T00:00:01.000Z',
      last: '1970-01-01T00:00:03.000Z',
      hosts: ['a.example.com', 'b.example.com'],
    })
    expect(summary.bytes).toBeGreaterThan(50_000)
  })

  it('has no times where there is no exchange', async () => {
    const directory = await writeRecording(await temporaryDirectory())
    expect(await summarize(directory)).toEqual({ directory, exchanges: 0, bytes: 0, hosts: [] })
  })

  it('says when there is only one', async () => {
    const directory = await writeRecording(await temporaryDirectory(), {})
    expect(await summarize(directory)).toMatchObject({ first: '1970-01-01T00:00:00.000Z' })
    expect((await summarize(directory)).last).toBe((await summarize(directory)).first)
  })
})

describe('findRecordings', () => {
  it('finds those in a directory by name, or the directory itself', async () => {
    const directory = await temporaryDirectory()
    const [b, a] = [join(directory, 'b'), join(directory, 'a')]
    await writeRecording(b)
    await writeRecording(a)
    expect(await findRecordings(directory)).toEqual([a, b])
    expect(await findRecordings(a)).toEqual([a])
    expect(await findRecordings(join(directory, 'none'))).toEqual([])
    expect(await isRecording(directory)).toBe(false)
  })
})
