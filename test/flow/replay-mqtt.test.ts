import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { expect, it } from 'vitest'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { atEnd } from '../at-end.ts'
import { recorded, startReplay } from './replay-kit.ts'

async function connect(url: string): Promise<{ readonly client: mqtt.MqttClient; readonly heard: string[] }> {
  const client = await mqtt.connectAsync(url.replace('http', 'ws'), { reconnectPeriod: 0 })
  atEnd(() => void client.end(true))
  const heard: string[] = []
  client.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`))
  return { client, heard }
}

/** What two clients hear, of which the second draws an id. */
async function converse(url: string): Promise<readonly string[]> {
  const first = await connect(url)
  await first.client.subscribeAsync('home/#', { qos: 1 })
  await first.client.publishAsync('home/light', 'on', { qos: 1 })
  await first.client.publishAsync('home/door', 'open', { qos: 2, retain: true })
  await expect.poll(() => first.heard.length).toBe(2)
  const second = await connect(url)
  await second.client.subscribeAsync('home/door')
  await expect.poll(() => second.heard.length).toBe(1)
  const id = randomUUID()
  await second.client.publishAsync('home/door', JSON.stringify({ id }), { qos: 1 })
  await expect.poll(() => second.heard.length).toBe(2)
  await second.client.unsubscribeAsync('home/door')
  await second.client.endAsync()
  return [...first.heard.slice(0, 2), ...second.heard.map((each) => each.replace(id, 'its own id'))]
}

it('answers clients of MQTT, whose packets have other identifiers in each run and come in parts', async () => {
  const broker = await Aedes.createBroker()
  const server = createServer()
  new WebSocketServer({ server, handleProtocols: () => 'mqtt' }).on('connection', (socket, request) =>
    broker.handle(createWebSocketStream(socket), request),
  )
  let live: readonly string[] = []
  const directory = await recorded(server, async (url) => void (live = await converse(url)))
  await new Promise<void>((resolve) => broker.close(resolve))
  expect(live).toEqual(['home/light on', 'home/door open', 'home/door open', 'home/door {"id":"its own id"}'])
  const { url } = await startReplay(directory)
  for (const _run of [1, 2]) expect(await converse(url)).toEqual(live)

  const { client } = await connect(url)
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.on('error', () => undefined)
  client.publish('garden/gate', 'open', { qos: 1 })
  await closed
})
