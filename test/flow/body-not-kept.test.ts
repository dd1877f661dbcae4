import { expect, it, vi } from 'vitest'
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
