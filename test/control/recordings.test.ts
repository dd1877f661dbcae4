import { createServer } from 'node:http'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../temporary-folder.ts'
import { open } from './ask.ts'

async function upstreamUrl(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ path: request.url }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('stops, is read and compared, goes on, and is replayed, while the gateway runs', async () => {
  const record = temporaryDirectory()
  const { app, ask } = open({ upstream: await upstreamUrl(), record, modes: { mode: 'forward' } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const get = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text()
  await get('/a')
  expect((await ask('POST', '/__sim/recordings/stop')).body).toMatchObject([
    { directory: record, recording: false, stopped: 'a request stopped it' },
  ])
  await get('/b')
  await ask('POST', '/__sim/recordings/resume')
  await get('/c')
  const named = `directory=${encodeURIComponent(record)}`
  const { body: list } = await ask('GET', `/__sim/recordings/exchanges?${named}`)
  expect(list.map((each: { url: string }) => new URL(each.url).pathname)).toEqual(['/a', '/c'])
  const { body: one } = await ask('GET', `/__sim/recordings/exchange?${named}&number=2`)
  expect(one.response.content.text).toBe('{"path":"/c"}')
  const { body: report } = await ask(
    'GET',
    `/__sim/recordings/diff?${named}&against=${encodeURIComponent(record)}`,
  )
  expect(report).toMatchObject({ drifts: 0, exchanges: 2 })

  await ask('POST', '/__sim/recordings/replay', { directory: record })
  expect([await get('/a'), (await fetch(`${url}/b`)).status]).toEqual(['{"path":"/a"}', 404])
  expect((await ask('GET', '/__sim/misses')).body.missed).toBe(1)
})

it('begins in a folder of its own where nothing was recorded, and reads no other', async () => {
  const name = `page-test-${process.pid}`
  onTestFinished(() => rmSync(`recordings/${name}`, { recursive: true, force: true }))
  const { app, ask } = open({ upstream: await upstreamUrl() })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await (await fetch(`${url}/before`)).text()
  expect((await ask('POST', '/__sim/recordings/start', { name })).body).toMatchObject([
    { directory: `recordings/${name}`, recording: true },
  ])
  await (await fetch(`${url}/after`)).text()
  const { body } = await ask('GET', `/__sim/recordings/exchanges?directory=recordings/${name}`)
  expect(body).toHaveLength(1)
  expect((await ask('POST', '/__sim/recordings/start', { name: '../out' })).status).toBe(422)
  expect((await ask('GET', '/__sim/recordings/exchanges?directory=/etc')).status).toBe(422)
  expect((await ask('POST', '/__sim/recordings/routes', { directory: `recordings/${name}` })).status).toBe(
    500,
  )
})
