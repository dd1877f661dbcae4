import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createReplays } from '../../../src/state/replays.ts'
import { type Parts, temporaryDirectory, writeRecording } from '../samples.ts'
import { type Ask, recordedOf, replayingFrom } from './replaying.ts'

const UUID = '2f1c9a54-0d5e-4b8f-9d3c-8f0e6a7b1c2d'

const exchange = (method: string, url: string, text: string, seconds: number, status = 200): Parts => ({
  ...recordedOf({ method, url }, { status, text }),
  startedAt: new Date(seconds * 1000),
})

const FIRST = [
  exchange('PUT', '/a', 'put', 1),
  exchange('GET', '/a', 'one', 2),
  exchange('PUT', `/drawn/${UUID}`, 'drawn', 3, 201),
]
const SECOND = [
  exchange('GET', '/a', 'none', 11, 404),
  exchange('PUT', '/a', 'put', 12),
  exchange('GET', '/a', 'two', 13),
]

async function textsOf(ask: Ask, requests: readonly string[], session = createReplays()): Promise<string[]> {
  const texts: string[] = []
  for (const request of requests) {
    const [method = '', url = ''] = request.split(' ')
    texts.push((await ask({ method, url }, session)).text)
  }
  return texts
}

// What is noted of a session is shared by gateways, of which some read only what is there now.
it('is another one to gateways that start later, whatever the session was given of the one before', async () => {
  const directory = await temporaryDirectory()
  await writeRecording(directory, ...FIRST)
  const session = createReplays()
  const before = await replayingFrom(directory)
  const made = ['PUT /a', 'GET /a', 'PUT /drawn/8b7e4d10-6c2a-4f1b-a5d8-3e9f0c1b2a47']
  expect(await textsOf(before, made, session)).toEqual(['put', 'one', 'drawn'])
  await rm(`${directory}/exchanges.ndjson`)
  await writeRecording(directory, ...SECOND)
  const later = await replayingFrom(directory)
  expect(await textsOf(later, ['GET /a', 'PUT /a', 'GET /a'], session)).toEqual(['none', 'put', 'two'])
})

it('has what a session was given in the same places for gateways that read on and that read all', async () => {
  const directory = await temporaryDirectory()
  await writeRecording(directory, ...FIRST)
  const session = createReplays()
  const early = await replayingFrom(directory)
  expect(await textsOf(early, ['PUT /a'], session)).toEqual(['put'])
  await writeRecording(directory, exchange('PUT', '/a', 'put again', 21), exchange('GET', '/a', 'three', 22))
  const late = await replayingFrom(directory)
  expect(await textsOf(late, ['PUT /a', 'GET /a'], session)).toEqual(['put again', 'three'])
  expect(await textsOf(early, ['GET /a'], session)).toEqual(['three'])
})
