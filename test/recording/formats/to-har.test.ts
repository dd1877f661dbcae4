import { expect, it } from 'vitest'
import { readBody, readExchanges } from '../../../src/recording/files/recording-files.ts'
import { toHar } from '../../../src/recording/formats/to-har.ts'
import { temporaryDirectory, writeRecording } from '../samples.ts'

it('holds every body, those of files too', async () => {
  const noise = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 256))
  const directory = await writeRecording(
    await temporaryDirectory(),
    { responseHeaders: [['content-type', 'text/plain']], responseBody: 'é'.repeat(40_000) },
    {
      method: 'POST',
      requestBody: noise,
      responseHeaders: [['content-type', 'image/png']],
      responseBody: noise,
    },
    { responseBody: 'short', responseHeaders: [['content-type', 'text/plain']] },
  )
  const { log } = await toHar(readExchanges(directory), '1.2.3', (body) => readBody(directory, body))
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'sim-gateway', version: '1.2.3' } })
  const [long, binary, short] = log.entries
  expect(long?.response.content.text).toBe('é'.repeat(40_000))
  expect(short?.response.content.text).toBe('short')
  expect(binary?.response.content).toMatchObject({ encoding: 'base64', text: noise.toString('base64') })
  expect(binary?.request.postData).toMatchObject({ _encoding: 'base64', text: noise.toString('base64') })
  expect(JSON.stringify(log)).not.toContain('_file')
})

it('leaves out a body that was left out', async () => {
  const directory = await writeRecording(await temporaryDirectory(), { responseBody: 'x'.repeat(40_000) })
  const { log } = await toHar(readExchanges(directory), '1', () => Promise.resolve(undefined))
  expect(log.entries[0]?.response.content.text).toBeUndefined()
})
