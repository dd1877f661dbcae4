import { expect, it } from 'vitest'
import { samplesIn } from '../../../src/recording/drift/read-samples.ts'
import { temporaryDirectory, writeRecording } from '../samples.ts'

it('reads exchanges one by one, as often as asked, with long bodies of JSON only', async () => {
  const long = Buffer.from(JSON.stringify({ text: 'x'.repeat(40_000) }))
  const json = [['content-type', 'application/json']] as const
  const directory = await writeRecording(
    await temporaryDirectory(),
    { url: 'http://a.example.com/1', responseHeaders: json, responseBody: long },
    { url: 'http://a.example.com/2', responseHeaders: [['content-type', 'text/plain']], responseBody: long },
  )
  const read = samplesIn(directory)
  for (let turn = 0; turn < 2; turn++) {
    const seen: unknown[] = []
    for await (const { index, response } of read()) seen.push([index, response])
    expect(seen).toEqual([
      [0, JSON.parse(long.toString())],
      [1, undefined],
    ])
  }
})
