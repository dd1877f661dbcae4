import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { openFolder, send, serve, startUpstream, type Answer, type Served } from './kit.ts'

const redis = sharedRedis()
let url = ''
let names = 0

/** A server of notes, whose ids clients draw. */
async function openNotes(): Promise<string> {
  const notes = new Map<string, string>()
  const upstream = await startUpstream((request, response) => {
    const path = request.url ?? ''
    let body = ''
    request.on('data', (data) => (body += String(data)))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.method === 'PUT') {
        response.statusCode = notes.has(path) ? 200 : 201
        notes.set(path, JSON.stringify({ id: path.slice('/notes/'.length), ...(JSON.parse(body) as object) }))
      }
      if (!notes.has(path)) response.statusCode = 404
      response.end(notes.get(path) ?? '{}')
    })
  })
  return upstream.url
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

/** What a client does, whichever ids it draws. */
async function notesOf(ask: Ask, ids: readonly string[]): Promise<unknown[]> {
  const seen: unknown[] = []
  const note = ({ status, body }: Answer): void =>
    void seen.push([status, JSON.stringify(body).replaceAll(/"id":"[^"]+"/g, (own) => own.slice(0, 5))])
  for (const [at, id] of ids.entries()) note(await ask('PUT', `/notes/${id}`, { text: `of ${at}` }))
  for (const id of ids.toReversed()) {
    const read = await ask('GET', `/notes/${id}`)
    expect(read.body).toMatchObject({ id })
    note(read)
    note(await ask('PUT', `/notes/${id}`, { text: 'changed' }))
    note(await ask('GET', `/notes/${id}`))
  }
  return seen
}

const draw = (): readonly string[] => Array.from({ length: 5 }, () => randomUUID())

describe.skipIf(!hasRedis)('what clients draw, replayed by gateways that share a state', () => {
  beforeAll(async () => {
    url = (await redis.server()).unixUrl
  })

  async function record(): Promise<{ directory: string; seen: unknown[] }> {
    const directory = join(openFolder().path, 'notes')
    const recorder = await serve(createGateway({ upstream: await openNotes(), record: directory }))
    const seen = await notesOf((method, path, body) => send(method, recorder.url + path, body), draw())
    await recorder.app.close()
    return { directory, seen }
  }

  async function replay(directory: string, name: string, gateway: string): Promise<Served> {
    return serve(
      createGateway({ recording: directory, modes: { mode: 'replay' }, state: { url, name, gateway } }),
    )
  }

  it('is known to each of them, whichever learned it, and to one that comes later', async () => {
    const { directory, seen } = await record()
    const name = `drawn-${++names}`
    const all = [await replay(directory, name, 'g0'), await replay(directory, name, 'g1')]
    all.push(await replay(directory, name, 'g2'))
    for (const session of ['ann', 'bob']) {
      let turn = 0
      const ids = draw()
      const ask: Ask = (method, path, body) =>
        send(method, `${all[turn++ % all.length]?.url}${path}`, body, { 'x-sim-session': session })
      expect(await notesOf(ask, ids)).toEqual(seen)
      const late = await replay(directory, name, `late-${session}`)
      const read = await send('GET', `${late.url}/notes/${ids[0]}`, undefined, { 'x-sim-session': session })
      expect(read.body).toEqual({ id: ids[0], text: 'changed' })
      await late.app.close()
    }
  })
})
