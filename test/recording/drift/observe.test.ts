import { once } from 'node:events'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { observe, type Observed } from '../../../src/recording/drift/observe.ts'
import { createIdleTap } from '../../../src/recording/capture/tap.ts'
import type { ExchangeRecorder } from '../../../src/recording/capture/recorder.ts'

const JSON_TYPE = [['content-type', 'application/json']] as const

async function pass(
  types: typeof JSON_TYPE | [],
  chunks: readonly Buffer[],
  recorder?: ExchangeRecorder,
): Promise<Observed[]> {
  const seen: Observed[] = []
  const tap = observe(recorder, (observed) => seen.push(observed)).begin({
    ...{ method: 'GET', url: 'http://127.0.0.1/', httpVersion: '1.1', headers: [] },
  })
  const body = tap.response({ status: 200, statusText: 'OK', httpVersion: '1.1', headers: types }).stream()
  for (const chunk of chunks) if (!body.write(chunk)) await once(body, 'drain')
  body.end()
  await once(body, 'finish')
  tap.complete()
  return seen
}

it('keeps JSON of up to 1 MiB, and of the rest how long it was', async () => {
  const [short] = await pass(JSON_TYPE, [Buffer.from('{"a"'), Buffer.from(':1}')])
  expect(short?.received).toEqual({ wireSize: 7, bytes: Buffer.from('{"a":1}') })
  const megabyte = Buffer.alloc(1024 * 1024)
  const [long] = await pass(JSON_TYPE, [megabyte, Buffer.from('x')])
  expect(long?.received).toEqual({ wireSize: megabyte.length + 1 })
  const [other] = await pass([], [Buffer.from('abc')])
  expect(other).toMatchObject({ received: { wireSize: 3 }, sent: { wireSize: 0 } })
})

it('lets a slow recorder set the pace, and goes on with it', async () => {
  const kept: Buffer[] = []
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      kept.push(chunk)
      setImmediate(done)
    },
  })
  const events: string[] = []
  const recorder: ExchangeRecorder = {
    begin: () => ({
      requestBody: slow,
      ready: () => undefined,
      upgraded: (head) => createIdleTap().upgraded(head),
      response: () => ({ stream: () => slow, body: (body) => void slow.end(body) }),
      complete: () => events.push('complete'),
      abandon: () => undefined,
    }),
  }
  await pass(JSON_TYPE, [Buffer.from('{'), Buffer.from('}')], recorder)
  expect(Buffer.concat(kept).toString()).toBe('{}')
  expect(events).toEqual(['complete'])
})

it('has its recorder hear when a request was sent, and whether its client left', () => {
  const heard: unknown[] = []
  const inner = {
    ...createIdleTap(),
    requestSent: () => void heard.push('sent'),
    abandon: (hasLeft: boolean) => void heard.push(hasLeft),
  }
  const tap = observe({ begin: () => inner }, () => undefined).begin({
    ...{ method: 'POST', url: 'http://127.0.0.1/', httpVersion: '1.1', headers: [] },
  })
  tap.requestSent?.()
  tap.abandon(true)
  expect(heard).toEqual(['sent', true])
})
