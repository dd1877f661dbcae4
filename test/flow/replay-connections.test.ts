import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { atEnd } from '../at-end.ts'
import { getStream } from './kit.ts'
import { ask, recorded, startReplay } from './replay-kit.ts'

type Say = string | Buffer

/** A server of WebSockets that says all it hears again. */
function echoServer(greet: (turn: number) => string) {
  const server = createServer()
  let turn = 0
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.send(greet(++turn))
    socket.on('message', (data: Buffer, binary) => socket.send(data, { binary }))
  })
  return server
}

async function open(url: string, path: string) {
  const heard: Say[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
  atEnd(() => socket.terminate())
  socket.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? data : data.toString()))
  await once(socket, 'open')
  await expect.poll(() => heard.length).toBe(1)
  return {
    heard,
    async say(...said: readonly Say[]): Promise<readonly Say[]> {
      for (const each of said) {
        const before = heard.length
        socket.send(each)
        await expect.poll(() => heard.length > before || socket.readyState === WebSocket.CLOSED).toBe(true)
      }
      return heard
    },
    async close(): Promise<number> {
      if (socket.readyState !== WebSocket.CLOSED) socket.close()
      if (socket.readyState === WebSocket.CLOSED) return 0
      return ((await once(socket, 'close')) as [number])[0]
    },
  }
}

it('takes what a client draws on a WebSocket for what was recorded, and says its own again', async () => {
  const said = (id: string, at: number, bytes: readonly number[]): Say[] => [
    `{"op":"join","chat":"${id}","at":${at}}`,
    `MOVE ${id} 1,2`,
    Buffer.from([1, 4, ...bytes, 0]),
    Buffer.from([2, 4, ...bytes, 9]),
    `{"op":"ping","at":${at + 7}}`,
  ]
  const path = (id: string): string => `/echo/${id.slice(0, 3)}/${id.slice(24, 32)}/websocket`
  const first = '017c9e66-7425-40de-944b-e07fc1f90ae7'
  const server = echoServer(() => 'o')
  const directory = await recorded(server, async (url) => {
    const client = await open(url, path(first))
    await client.say(...said(first, 1_732_745_123_123, [200, 1, 130, 7]))
    await client.close()
  })
  const { url } = await startReplay(directory)
  const second = '930b1fd0-93a6-4c1e-8f5b-2c963f66afa6'
  const own = said(second, 1_795_817_421_525, [140, 250, 3, 99])
  const client = await open(url, path(second))
  expect(await client.say(...own)).toEqual(['o', ...own])

  const words = await open(url, path(second))
  await words.say(...own.slice(0, 2))
  for (const other of ['LEAVE now', Buffer.from([1, 4, 104, 97, 108, 108, 0])]) {
    const wrong = await open(url, path(second))
    expect(await wrong.say(other)).toEqual(['o'])
  }
})

it('answers each message of a session with what came after it, though all of them name the session', async () => {
  const server = echoServer(() => 'o')
  const said = ['join', 'say', 'leave'].map(
    (op) => `[{"client":"jpng5hfiljz8gyup6nmxobmpql1pwv4","op":"${op}"}]`,
  )
  const directory = await recorded(server, async (url) => {
    const client = await open(url, '/live')
    await client.say(...said)
    await client.close()
  })
  const client = await open((await startReplay(directory)).url, '/live')
  for (const [at, each] of said.entries())
    expect(await client.say(each)).toEqual(['o', ...said.slice(0, at + 1)])
})

it('gives connections in the order in which they began', async () => {
  const server = echoServer((turn) => `you are ${turn}`)
  const directory = await recorded(server, async (url) => {
    const [one, two] = [await open(url, '/live'), await open(url, '/live')]
    await two.close()
    await one.close()
  })
  const { url } = await startReplay(directory)
  expect((await open(url, '/live')).heard).toEqual(['you are 1'])
  expect((await open(url, '/live')).heard).toEqual(['you are 2'])
})

it.for(['GET', 'POST'])(
  'answers long polling by %s when what it waited for was sent, with parameters that are drawn for each request',
  async (method) => {
    let waiting: ServerResponse | undefined
    const server = createServer((request, response) => {
      const isPoll = request.method === 'GET' || request.headers['content-length'] === '4'
      request.resume().once('end', () => {
        if (isPoll) return void (waiting = response)
        response.end('ok')
        return waiting?.end(`news of ${request.headers['content-length']} bytes`)
      })
    })
    let drawn = 0
    const converse = async (url: string, suffix: string, waits: readonly number[]): Promise<string[]> => {
      const heard: string[] = []
      const path = (): string => `/live?transport=polling&t=${String(drawn++)}x${suffix}`
      for (const [at, body] of ['a', 'bb', 'ccc'].entries()) {
        const poll = ask(url, path(), method === 'POST' ? { method, body: 'poll' } : undefined)
        const news = poll.then(({ text }) => heard.push(text))
        // It is not there before.
        await new Promise((resolve) => setTimeout(resolve, waits[at]))
        heard.push(body)
        await ask(url, path(), { method: 'POST', body })
        await news
      }
      return heard
    }
    let live: string[] = []
    const directory = await recorded(
      server,
      async (url) => void (live = await converse(url, 'kjqwe', [1200, 30, 30])),
    )
    expect(live).toEqual(['a', 'news of 1 bytes', 'bb', 'news of 2 bytes', 'ccc', 'news of 3 bytes'])
    const { url } = await startReplay(directory)
    // Users are not as quick each time.
    expect(await converse(url, 'zmuyt', [60, 90, 90])).toEqual(live)
  },
)

it('answers a long poll for changes when what is beside it was written', async () => {
  let waiting: ServerResponse | undefined
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void (waiting = response).write('[')
    // Who waits may be answered first.
    waiting?.end(`${request.url}]`)
    return void setTimeout(() => response.end('ok'), 2)
  })
  const converse = async (url: string, waits: readonly number[]): Promise<string[]> => {
    const heard: string[] = []
    for (const [at, name] of ['one', 'two'].entries()) {
      const news = ask(url, `/notes/_changes?since=${at}`).then(({ text }) => heard.push(text))
      await new Promise((resolve) => setTimeout(resolve, waits[at]))
      heard.push(name)
      await ask(url, `/notes/${name}`, { method: 'PUT', body: name })
      await news
    }
    return heard
  }
  let live: string[] = []
  const directory = await recorded(server, async (url) => void (live = await converse(url, [1800, 30])))
  expect(live).toEqual(['one', '[/notes/one]', 'two', '[/notes/two]'])
  const { url } = await startReplay(directory)
  expect(await converse(url, [60, 90])).toEqual(live)
})

it('holds no write for another that overlapped it by chance', async () => {
  let first: ServerResponse | undefined
  const server = createServer((request, response) => {
    if (request.headers['content-length'] === '1') first = response
    else setTimeout(() => (response.end('two'), first?.end('one')), 100)
    request.resume()
  })
  const make = async (url: string, body: string): Promise<string> =>
    (await ask(url, '/items', { method: 'POST', body })).text
  const directory = await recorded(server, async (url) => {
    const one = make(url, '1')
    await new Promise((resolve) => setTimeout(resolve, 600))
    await Promise.all([one, make(url, '22')])
  })
  const { url, freeze } = await startReplay(directory)
  await freeze()
  expect([await make(url, '1'), await make(url, '22')]).toEqual(['one', 'two'])
})

it('sends events that answer a request after that, with what its client drew', async () => {
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      streams.add(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
      return
    }
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.once('end', () => {
      response.writeHead(202).end()
      const { id } = JSON.parse(body) as { readonly id: string | number }
      for (const stream of streams) stream.write(`data: {"id":${JSON.stringify(id)},"result":{}}\n\n`)
    })
  })
  const converse = async (url: string, ids: readonly unknown[], ms: number): Promise<readonly unknown[]> => {
    const events = await getStream(`${url}/events`)
    let text = ''
    events.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const heard = (): unknown[] => [...text.matchAll(/"id":(.*?),/g)].map(([, id = '']) => JSON.parse(id))
    const early: unknown[] = []
    for (const [at, id] of ids.entries()) {
      await new Promise((resolve) => setTimeout(resolve, ms))
      early.push(...heard().slice(at))
      await ask(url, '/calls', { method: 'POST', body: JSON.stringify({ id, method: 'add' }) })
      await expect.poll(() => heard().length).toBe(at + 1)
    }
    events.destroy()
    expect(early).toEqual([])
    return heard()
  }
  const uuids = ['0b9f8f4e-3a54-4a1c-9a77-2f0f4f0f8a11', 'c2f1d2a3-7b6e-4d5c-8e9f-10a1b2c3d4e5']
  const before = [1, uuids[0], 2]
  const directory = await recorded(server, async (url) => void (await converse(url, before, 0)))
  const { url } = await startReplay(directory)
  expect(await converse(url, [1, uuids[1], 2], 80)).toEqual([1, uuids[1], 2])
})

it('closes WebSockets as the server did, with its code and reason', async () => {
  const server = createServer()
  new WebSocketServer({ server }).on('connection', (socket, { url }) => {
    if (url === '/denied') return socket.close(4401, 'denied to token tok_8Jk2lQ9vB7nM4pR5tYz')
    return socket.on('message', (data: Buffer) => {
      socket.send(`to ${data.toString()}`)
      if (data.toString() === 'bye') socket.close()
    })
  })
  const hear = async (
    url: string,
    path: string,
    isSlow = true,
    ...said: readonly string[]
  ): Promise<unknown> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
    atEnd(() => socket.terminate())
    const heard: string[] = []
    socket.on('message', (data: Buffer) => heard.push(data.toString()))
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    if (said.length > 0) await once(socket, 'open')
    for (const [at, each] of said.entries()) {
      socket.send(each)
      if (isSlow) await expect.poll(() => heard.length).toBe(at + 1)
    }
    const [code, reason] = await closed
    return [code, reason.toString().replace(/redacted-\w+|tok_\w+/, '…'), ...heard]
  }
  const drive = async (url: string): Promise<unknown> => [
    await hear(url, '/denied'),
    await hear(url, '/talk', true, 'hello', 'bye'),
  ]
  let live: unknown
  const directory = await recorded(server, async (url) => void (live = await drive(url)))
  expect(live).toEqual([
    [4401, 'denied to token …'],
    [1005, '', 'to hello', 'to bye'],
  ])
  expect(await readFile(join(directory, 'exchanges.ndjson'), 'utf8')).not.toContain('tok_8Jk2l')
  const { url } = await startReplay(directory, {})
  expect(await drive(url)).toEqual(live)
  // What the client says after that is answered first.
  expect(await hear(url, '/talk', false, 'bye', 'hello', 'bye')).toEqual([
    1005,
    '',
    'to bye',
    'to hello',
    'to bye',
  ])
})
