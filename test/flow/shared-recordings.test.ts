import { beforeAll, describe, expect, it } from 'vitest'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket, WebSocketServer } from 'ws'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { openFolder, send, serve, spawnSim, startUpstream, type Answer, type Served } from './kit.ts'
import { runSim, type SimServer } from './sim-process.ts'

const redis = sharedRedis()
let url = ''
let names = 0

/** A server that numbers its answers, and gives those to `/slow…` when it is to. */
async function openUpstream(): Promise<{
  url: string
  served: () => number
  held: () => number
  release: () => void
}> {
  let count = 0
  const held: (() => void)[] = []
  const upstream = await startUpstream((request, response) => {
    const answer = (): void => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ served: ++count, path: request.url }))
    }
    if (request.url?.startsWith('/slow') === true) held.push(answer)
    else answer()
  })
  return {
    url: upstream.url,
    served: () => count,
    held: () => held.length,
    release: () => held.splice(0).forEach((answer) => answer()),
  }
}

async function startGateways(
  options: GatewayOptions,
  count = 3,
): Promise<{ all: readonly Served[]; name: string }> {
  const name = `recordings-${++names}`
  const all: Served[] = []
  for (let index = 0; index < count; index++)
    all.push(await serve(createGateway({ ...options, state: { url, name, gateway: `g${index}` } })))
  return { all, name }
}

const ask = (gateway: Served | undefined, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, `${gateway?.url}${path}`, body)

async function recorded(directory: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { request } of readExchanges(directory)) paths.push(new URL(request.url).pathname)
  return paths
}

describe.skipIf(!hasRedis)('of gateways that share a state, mode new-episodes', () => {
  beforeAll(async () => {
    url = (await redis.server()).unixUrl
  })
  const episodes = (upstream: string): GatewayOptions & { recording: string } => ({
    upstream,
    recording: join(openFolder().path, 'fresh'),
    modes: { mode: 'new-episodes' },
  })

  it('forwards what is not recorded once, and all of them answer with it from then on', async () => {
    const upstream = await openUpstream()
    const options = episodes(upstream.url)
    const { all } = await startGateways(options)
    for (let index = 0; index < 60; index++) {
      const [first, ...others] = [0, 1, 2].map((turn) => all[(index + turn) % 3])
      const { bytes } = await ask(first, 'POST', `/items/${index}`, { index })
      for (const other of others)
        expect((await ask(other, 'POST', `/items/${index}`, { index })).bytes).toEqual(bytes)
    }
    expect(upstream.served()).toBe(60)
    expect(await recorded(options.recording)).toHaveLength(60)
  })

  it('forwards what comes to all of them at once as often as one gateway does, and all replay it alike', async () => {
    const upstream = await openUpstream()
    const options = episodes(upstream.url)
    const { all } = await startGateways(options)
    const under = Promise.all(Array.from({ length: 6 }, (_, index) => ask(all[index % 3], 'GET', '/slow')))
    await expect.poll(() => upstream.held()).toBe(6)
    upstream.release()
    const first = (await under).map(({ body }) => Number(body.served)).toSorted((a, b) => a - b)
    expect(first).toEqual([1, 2, 3, 4, 5, 6])
    const again: number[] = []
    for (let turn = 0; turn < 7; turn++)
      again.push(Number((await ask(all[turn % 3], 'GET', '/slow')).body.served))
    expect(again.toSorted((a, b) => a - b)).toEqual([...first, 6].toSorted((a, b) => a - b))
    expect(await recorded(options.recording)).toHaveLength(6)
  })

  it.for([true, false])(
    'takes all bodies and protocols, by whichever gateway, listening: %j',
    async (isOpen) => {
      const sizes = [10, 100_000, 3_000_000]
      const upstream = await startUpstream((request, response) => void request.pipe(response))
      const sockets = new WebSocketServer({ server: upstream.server })
      sockets.on('connection', (socket) =>
        socket.on('message', (data) => socket.send(`${(data as Buffer).toString()} back`)),
      )
      const options = episodes(upstream.url)
      const { all } = await startGateways(options, 2)
      // One that shares its port with others, or has none, is reached by an entry of its own.
      if (!isOpen) all[0]?.app.server.close().closeAllConnections()
      await all[0]?.app.inject('/first')
      const open = isOpen ? [all[1], all[0]] : [all[1]]
      for (const size of sizes)
        for (const gateway of open)
          expect((await ask(gateway, 'POST', `/${size}`, 'x'.repeat(size))).text.length).toBe(size)
      for (const gateway of open) {
        const socket = new WebSocket(`${gateway?.url.replace('http', 'ws')}/chat`)
        const said = once(socket, 'message')
        await once(socket, 'open')
        socket.send('hello')
        expect(String((await said)[0])).toBe('hello back')
        socket.close()
        await once(socket, 'close')
      }
      const paths = ['/first', ...sizes.map((size) => `/${size}`), '/chat']
      await expect.poll(() => recorded(options.recording)).toEqual(paths)
    },
  )

  it('is not written by a gateway that has lost it, whatever that believes', async () => {
    const upstream = await openUpstream()
    const options = episodes(upstream.url)
    const { all, name } = await startGateways(options, 2)
    const late = ask(all[0], 'GET', '/slow')
    await expect.poll(() => upstream.held()).toBe(1)
    ;(await redis.server()).cli('DEL', `sim:{${name}/!%40recording}:lease`)
    await ask(all[1], 'GET', '/next')
    upstream.release()
    expect((await late).body).toMatchObject({ path: '/slow' })
    expect(await recorded(options.recording)).toEqual(['/next'])
    const again = ask(all[0], 'GET', '/slow')
    await expect.poll(() => upstream.held()).toBe(1)
    upstream.release()
    expect((await again).status).toBe(200)
    expect((await ask(all[1], 'GET', '/slow')).bytes).toEqual((await again).bytes)
    expect(await recorded(options.recording)).toEqual(['/next', '/slow'])
  })

  it('goes over at once from a gateway that ends, with all that was answered', async () => {
    const upstream = await openUpstream()
    const options = episodes(upstream.url)
    const { all } = await startGateways(options)
    const answered: string[] = []
    for (const [turn, gone] of all.slice(0, 2).entries()) {
      const left = all.slice(turn)
      for (let index = 0; index < 12; index++) {
        const path = `/${turn}/${index}`
        const { status } = await ask(left[index % left.length], 'GET', path)
        if (status === 200) answered.push(path)
      }
      await gone.app.close()
    }
    await ask(all[2], 'GET', '/last')
    expect(answered).toHaveLength(24)
    await all[2]?.app.close()
    expect(await recorded(options.recording)).toEqual([...answered, '/last'])
    expect(readdirSync(options.recording).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('has no gateway save to a folder within what all of them answer from', () => {
    const options = { ...episodes('http://127.0.0.1:1'), state: { url, name: 'refused' } }
    for (const mode of ['spy', 'new-episodes'] as const)
      expect(() => createGateway({ ...options, modes: { mode }, record: options.recording })).toThrow(
        'Leave out record',
      )
  })

  it('is stopped and gone on with by whichever gateway, and each says who writes', async () => {
    const upstream = await openUpstream()
    const options = { ...episodes(upstream.url), requireRecording: true }
    const { all } = await startGateways(options)
    const listed = async (): Promise<unknown[]> =>
      Promise.all(
        all.map(async (gateway) => {
          const { headers, body } = await ask(gateway, 'GET', '/__sim/recordings')
          const [{ recording, stopped, writer }] = body as never as Record<string, unknown>[] as [
            Record<string, unknown>,
          ]
          return [headers.get('x-sim-state-gateway'), recording, stopped, writer]
        }),
      )
    await ask(all[1], 'GET', '/a')
    const others = [
      ['g0', undefined, undefined, 'g1'],
      ['g2', undefined, undefined, 'g1'],
    ]
    expect(await listed()).toEqual([others[0], ['g1', true, undefined, 'g1'], others[1]])
    const stop = await ask(all[2], 'POST', '/__sim/recordings/stop')
    expect(stop.headers.get('x-sim-state-gateways')?.split(', ').toSorted()).toEqual(['g0', 'g1', 'g2'])
    expect(await listed()).toEqual([others[0], ['g1', false, 'a request stopped it', 'g1'], others[1]])
    await ask(all[0], 'GET', '/b')
    await all[1]?.app.close()
    await ask(all[0], 'GET', '/c')
    expect(await recorded(options.recording)).toEqual(['/a'])
    await ask(all[2], 'POST', '/__sim/recordings/resume')
    await ask(all[2], 'GET', '/d')
    await expect.poll(() => recorded(options.recording)).toEqual(['/a', '/d'])
    for (const gateway of [all[0], all[2]]) {
      expect((await ask(gateway, 'GET', '/__sim/ready')).status).toBe(200)
      expect((await ask(gateway, 'GET', '/__sim/health')).body).toMatchObject({ status: 'ok' })
    }
  })
})

describe.skipIf(!hasRedis)('of processes that share a state, mode new-episodes', () => {
  it('loses with a writer that is killed no more than what was under way, and another writes on', async () => {
    const server = await redis.server()
    const upstream = await openUpstream()
    const { path: folder } = openFolder()
    const start = (gateway: string): Promise<SimServer> =>
      spawnSim(
        [
          ...[
            'proxy',
            '--upstream',
            upstream.url,
            '--mode',
            'new-episodes',
            '--recording',
            'shared/episodes',
          ],
          ...['--state', server.unixUrl, '--state-name', 'kill', '--state-gateway', gateway],
        ],
        folder,
      )
    const all = await Promise.all(['a', 'b', 'c'].map(start))
    const [writer, ...others] = all as [SimServer, SimServer, SimServer]
    expect((await send('GET', `${writer.url}/first`)).status).toBe(200)
    const answered: string[] = []
    /** What clients got last before it was killed: the next answer to each waits until that is written. */
    const last = new Set<string>()
    const load = { isKilled: false, isOver: false }
    const client = async (number: number): Promise<void> => {
      let own = ''
      for (let index = 0; !load.isOver; index++) {
        const { url: base } = (load.isKilled ? others[index % 2] : all[index % 3]) as SimServer
        const path = `/${number}/${index}`
        const answer = await send('GET', `${base}${path}`).catch(() => undefined)
        if (answer?.status !== 200) last.add(own)
        else answered.push((own = path))
      }
    }
    const clients = Array.from({ length: 6 }, (_, number) => client(number))
    await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(60)
    writer.process.kill('SIGKILL')
    load.isKilled = true
    const refused = await send('GET', `${others[0].url}/new`)
    expect(refused).toMatchObject({ status: 503, body: { code: 'SIM_STATE_ELSEWHERE' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5)
    // What is recorded needs nobody who writes.
    for (const each of others)
      expect(await send('GET', `${each.url}/first`)).toMatchObject({ status: 200, body: { path: '/first' } })
    // As when its time has run out.
    server.cli('DEL', 'sim:{kill/!%40recording}:lease')
    const before = answered.length
    await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(before + 60)
    load.isOver = true
    await Promise.all(clients)
    expect(await Promise.all(others.map((each) => each.stop()))).toEqual([0, 0])

    const written = await recorded(join(folder, 'shared/episodes'))
    expect(new Set(written).size).toBe(written.length)
    const missing = answered.filter((path) => !written.includes(path))
    expect(missing.filter((path) => !last.has(path))).toEqual([])
    const listed = await runSim(['recordings', 'list', 'shared', '--json'], folder)
    expect(JSON.parse(listed.stdout)).toMatchObject([{ exchanges: written.length }])
    const replay = await serve(
      createGateway({
        ...{ upstream: upstream.url, modes: { mode: 'replay' } },
        recording: join(folder, 'shared/episodes'),
      }),
    )
    for (const path of written) expect((await ask(replay, 'GET', path)).body).toMatchObject({ path })
  })
})

describe.skipIf(!hasRedis)('of gateways that share a state, what is replayed', () => {
  it.for(['replay', 'spy', 'new-episodes'] as const)(
    'comes in the order that one gives it, by whichever gateway: %s',
    async (mode) => {
      url = (await redis.server()).unixUrl
      const recording = join(openFolder().path, 'counter')
      let [count, polls, made] = [0, 0, 0]
      const upstream = await startUpstream((request, response) => {
        if (request.method === 'PUT') count++
        if (request.method === 'POST') response.setHeader('location', `/jobs/${++made}`).statusCode = 201
        const about = request.url === '/count' ? { count } : { polls: ++polls }
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...about, made }))
      })
      const recorder = await serve(
        createGateway({ upstream: upstream.url, record: recording, modes: { mode: 'forward' } }),
      )
      const calls = [
        ...['GET /count', 'PUT /count', 'GET /count', 'GET /poll', 'GET /poll', 'GET /poll', 'PUT /count'],
        ...['GET /count', 'POST /jobs', 'GET /jobs/1', 'POST /jobs', 'GET /jobs/2', 'GET /jobs/1'],
      ] as const
      const sent = async (call: string, gateway: Served | undefined, session: string) => {
        const [method = '', path = ''] = call.split(' ')
        const headers = { 'x-sim-session': session }
        const { status, text } = await send(method, `${gateway?.url}${path}`, undefined, headers)
        return { call, status, text }
      }
      for (const call of calls) await sent(call, recorder, '')
      await recorder.app.close()
      upstream.stop()
      const options = { upstream: upstream.url, recording, modes: { mode } }
      const alone = await serve(createGateway(options))
      const { all } = await startGateways(options)
      const [gets, twice] = [calls.filter((call) => call.startsWith('GET')), [...calls, ...calls]]
      for (const [session, list] of [
        ['a', twice],
        ['b', [...gets, ...calls]],
      ] as const)
        for (const [index, call] of list.entries()) {
          const answer = await sent(call, all[index % 3], session)
          expect(answer).toEqual(await sent(call, alone, session))
          expect(answer.status).toBeLessThan(300)
        }
      // What was given until then is over for all of them.
      for (const gateway of [all[1], alone]) await sent('POST /__sim/reset', gateway, 'a')
      for (const [index, call] of calls.entries())
        expect(await sent(call, all[(index + 2) % 3], 'a')).toEqual(await sent(call, alone, 'a'))
    },
  )
})
