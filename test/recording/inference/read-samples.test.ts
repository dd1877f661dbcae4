import { expect, it } from 'vitest'
import { readSamples } from '../../../src/recording/inference/read-samples.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { temporaryDirectory, writeRecording } from '../samples.ts'

it('reads bodies wherever they are', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(40_000) })
  const headers = [['content-type', 'application/json']] as const
  const directory = await writeRecording(
    await temporaryDirectory(),
    { responseHeaders: headers, responseBody: '{"text":"short"}' },
    {
      method: 'POST',
      requestHeaders: headers,
      requestBody: long,
      responseHeaders: headers,
      responseBody: long,
    },
  )
  const [short, other] = await readSamples(directory)
  expect(short).toMatchObject({ index: 0, response: { text: 'short' } })
  expect(other).toMatchObject({ index: 1, body: JSON.parse(long), response: JSON.parse(long) })
})

it('tells of its progress', async () => {
  const directory = await writeRecording(
    await temporaryDirectory(),
    ...Array.from({ length: 2_001 }, () => ({})),
  )
  const counts: number[] = []
  await readSamples(directory, (count) => counts.push(count))
  expect(counts).toEqual([1_000, 2_000])
})

it('refuses what is no recording', async () => {
  await expect(readSamples(await temporaryDirectory())).rejects.toThrow(RecordingUnusable)
})
