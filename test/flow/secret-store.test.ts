import { expect, it } from 'vitest'
import { allBytes, temporaryDirectory } from '../recording/samples.ts'
import { ask, serve, start } from './replay-setup.ts'

const PLANTED = 'correct horse battery staple'
const put = (value: string): object => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ scope: 'app', key: 'db', string_value: value }),
})

it('hides what a store of secrets is sent and gives, whatever its fields are called, and replays it', async () => {
  const directory = await temporaryDirectory()
  const upstream = await serve(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ value: url?.includes('/secrets') === true ? PLANTED : 'none' }))
  })
  const recorder = await start({ upstream: upstream.url, record: directory })
  await ask(recorder.url, ['/api/2.0/secrets/put', put(PLANTED)])
  await ask(recorder.url, ['/api/2.0/secrets?key=db'])
  await ask(recorder.url, ['/api/2.0/settings', put('no secret here')])
  await recorder.app.close()

  const { bytes } = await allBytes(directory)
  expect(bytes.includes('/secrets/put')).toBe(true)
  expect(bytes.includes(PLANTED.slice(0, 13))).toBe(false)
  expect(bytes.includes('no secret here')).toBe(true)

  const { url } = await start({ modes: { mode: 'replay' }, recording: directory })
  expect((await ask(url, ['/api/2.0/secrets/put', put(PLANTED)])).status).toBe(200)
  expect((await ask(url, ['/api/2.0/settings', put('something else')])).status).toBe(404)
})
