import { gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { readBody } from '../../src/recording/files/read-body.ts'
import { collect } from '../recording/samples.ts'
import { fetchFrom, openFolder, startGateway, startUpstream } from './kit.ts'

it('replays no part of a body that was too large to keep, and names the option', async () => {
  const { url: upstream } = await startUpstream((_request, response) =>
    response.setHeader('content-type', 'image/png').end(Buffer.alloc(200_000, 1)),
  )
  const record = openFolder().path
  const limits = { recordLimits: { maxBodyBytes: 100_000 } }
  const recorder = await startGateway({ upstream, modes: { mode: 'record' }, record, ...limits })
  expect((await fetchFrom(`${recorder.url}/image`)).status).toBe(200)
  const replay = async () => {
    const { url } = await startGateway({ modes: { mode: 'replay' }, recording: record })
    return fetchFrom(`${url}/image`)
  }
  await vi.waitFor(async () => expect((await replay()).status).toBe(501))
  expect((await replay()).body).toMatchObject({
    code: 'SIM_BODY_NOT_KEPT',
    detail: expect.stringContaining('larger than 100000 bytes, which --record-max-body allows'),
  })
})

it.each([
  ['larger when it is decoded', `${'a'.repeat(200)},`],
  ['larger as it is', Array.from({ length: 30_000 }, (_, index) => Math.sin(index)).join()],
])('keeps how a body begins that is %s, without secrets', async (_, rest) => {
  const secret = 'ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'
  const text = `a ${secret} b ${rest.repeat(Math.ceil(200_000 / rest.length))}`
  const { url: upstream } = await startUpstream((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync(text)),
  )
  const record = openFolder().path
  const limits = { recordLimits: { maxBodyBytes: 100_000 } }
  const recorder = await startGateway({ upstream, modes: { mode: 'record' }, record, ...limits })
  await fetchFrom(`${recorder.url}/text`)
  const [exchange] = await vi.waitFor(async () => {
    const exchanges = await collect(readExchanges(record))
    expect(exchanges).toHaveLength(1)
    return exchanges
  })
  const content = exchange?.response.content
  expect(content?._omitted).toBe('larger than 100000 bytes, which --record-max-body allows')
  const kept = String(content === undefined ? '' : await readBody(record, content))
  expect(kept).not.toContain(secret)
  expect(kept).toMatch(/^a redacted-/)
  expect(kept.slice(60, 5000)).toBe(text.slice(60, 5000))
})
