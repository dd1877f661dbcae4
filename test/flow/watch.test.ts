import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import { Agent, get as httpGet } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import type { TemporaryFolder } from '../temporary-folder.ts'
import { atEnd } from '../at-end.ts'
import { fetchFrom, openFolder, post, responseTo, spawnSim, startUpstream } from './kit.ts'
import { lastRequest, openTunnel, rawAnswer, requestText, textOf, tlsThroughTunnel } from './raw-client.ts'
import { ROOT, type SimServer } from './sim-process.ts'

const INDEX = JSON.stringify(join(ROOT, 'dist/src/index.js'))
const RELOADED = /^reloaded: .*\n/m

const routes = (name: string, more = ''): string => `
routes:
  GET /name: { output: { const: ${name} } }
  GET /slow: { output: { const: ${name} }, latency_ms: 400 }
  GET /number: { output: { type: integer } }
${more}`

const USERS = `
options: { stateful: true }
routes:
  GET /users: { output: { list: &user { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string, x-sim-link: { fromInput: name } } } } } }
  POST /users: { input: { type: object, properties: { name: { type: string } } }, output: *user }
`

let folder: TemporaryFolder
let server: SimServer
beforeEach(() => {
  folder = openFolder()
})

async function start(...args: readonly string[]): Promise<void> {
  server = await spawnSim([...args, '--watch'], folder.path)
  // The seed is printed once the watching has begun.
  await server.prints(/^seed/m)
}

/** Starts an app with a route /name that answers `old`. */
async function startOld(): Promise<void> {
  folder.write('api.yaml', routes('old'))
  await start('run', 'api.yaml')
}

async function afterReload(edit: () => void, wanted = RELOADED): Promise<void> {
  const printed = server.stderr().length
  edit()
  await server.prints(wanted, printed)
}

const ask = async (path: string): Promise<unknown> => (await fetchFrom(`${server.url}${path}`)).body
const expectName = async (name: string): Promise<void> => expect(await ask('/name')).toBe(name)
const write = (name: string, text: string) => (): void => void folder.write(name, text)

describe('sim run --watch', () => {
  it('serves a changed document on the connection that is open', async () => {
    await startOld()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const get = async (path: string): Promise<{ body: string; port: number | undefined }> => {
      const response = await responseTo(httpGet(`${server.url}${path}`, { agent }))
      const port = response.socket.localPort
      return { body: await text(response), port }
    }
    const before = await get('/name')
    await afterReload(write('api.yaml', routes('new')))
    const after = await get('/name')
    agent.destroy()
    expect([before.body, after.body]).toEqual(['"old"', '"new"'])
    expect(after.port).toBe(before.port)
  })

  it('lets a request that is under way end as it began', async () => {
    await startOld()
    let isAnswered = false
    const slow = ask('/slow').finally(() => (isAnswered = true))
    await afterReload(write('api.yaml', routes('new')))
    expect([isAnswered, await ask('/name'), await slow]).toEqual([false, 'new', 'old'])
  })

  it('keeps the last good version, and says why once', async () => {
    await startOld()
    const broken = routes('new', '  GET /more: { lst_count: 3 }')
    await afterReload(write('api.yaml', broken), /not reloaded/)
    expect(server.stderr()).toContain(
      "api.yaml:6: GET /more: lst_count: no such option. Did you mean 'list_count'?",
    )
    await expectName('old')

    folder.write('api.yaml', broken)
    await afterReload(() => folder.write('api.yaml', routes('newest')))
    expect(server.stderr().match(/not reloaded/g)).toHaveLength(1)
    await expectName('newest')
  })

  it('follows a file that an editor replaces, or that goes and comes back', async () => {
    const file = folder.write('api.yaml', routes('one'))
    await start('run', 'api.yaml')
    for (const name of ['two', 'three']) {
      await afterReload(() => renameSync(folder.write('api.yaml.swp', routes(name)), file))
      await expectName(name)
    }
    await afterReload(() => rmSync(file), /not reloaded/)
    await expectName('three')
    await afterReload(write('api.yaml', routes('four')))
    await expectName('four')
  })

  it('loads a burst of saves with its last state', async () => {
    folder.write('api.yaml', routes('first'))
    await start('run', 'api.yaml')
    await afterReload(() => {
      for (let count = 0; count < 20; count++) folder.write('api.yaml', routes(`save${count}`))
    })
    await expectName('save19')
  })

  it('executes a module again with all that it imports', async () => {
    folder.write('names/name.ts', "export const name: string = 'old'\n")
    folder.write('names/data.json', '{ "tag": "one" }')
    folder.write(
      'names/index.ts',
      "export { name } from './name.ts'\nexport { default as data } from './data.json'\n",
    )
    folder.write(
      'app.ts',
      `import { SimAPI } from ${INDEX}
import { data, name } from './names/index.ts'
export const api = new SimAPI().get('/name', { output: { const: name + data.tag } })\n`,
    )
    await start('run', 'app.ts')
    await expectName('oldone')
    await afterReload(write('names/name.ts', "export const name: string = 'new'\n"))
    await expectName('newone')
    await afterReload(write('names/data.json', '{ "tag": "two" }'))
    await expectName('newtwo')
    await afterReload(write('names/name.ts', 'export const name: string = ('), /not reloaded/)
    await expectName('newtwo')
    await afterReload(() => folder.write('names/name.ts', "export const name: string = 'mended'\n"))
    await expectName('mendedtwo')
  })

  it('executes a JavaScript module and a web app again', async () => {
    const app = (name: string): string => `import { SimAPI } from ${INDEX}
export const app = new SimAPI({ seed: 1 }).get('/name', { output: { const: '${name}' } }).asWebApp()\n`
    folder.write('app.mjs', app('old'))
    server = await spawnSim(['run', 'app.mjs', '--watch'], folder.path)
    await expectName('old')
    await afterReload(write('app.mjs', app('new')))
    await expectName('new')
  })

  it.for(['app.mjs', 'app.ts'])('executes what %s imports of JavaScript and data again', async (name) => {
    folder.write('names/name.mjs', "import tag from './tag.cjs'\nexport const name = 'old' + tag\n")
    folder.write('names/tag.cjs', "module.exports = require('./tag.json').tag\n")
    folder.write('names/tag.json', '{ "tag": 1 }')
    folder.write(
      name,
      `import { SimAPI } from ${INDEX}
import { name } from './names/name.mjs'
export const api = new SimAPI().get('/name', { output: { const: name } })\n`,
    )
    await start('run', name)
    await expectName('old1')
    await afterReload(
      write('names/name.mjs', "import tag from './tag.cjs'\nexport const name = 'new' + tag\n"),
    )
    await expectName('new1')
    await afterReload(write('names/tag.json', '{ "tag": 2 }'))
    await expectName('new2')
    await afterReload(write('names/tag.cjs', 'module.exports = 3\n'))
    await expectName('new3')
  })

  it('serves a description anew when a file that it refers to changes', async () => {
    folder.write('parts/name.yaml', 'Name: { const: old }\n')
    folder.write(
      'api.yaml',
      `openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
paths:
  /name:
    get:
      responses:
        '200':
          description: a name
          content: { application/json: { schema: { $ref: './parts/name.yaml#/Name' } } }\n`,
    )
    await start('run', 'api.yaml')
    await expectName('old')
    await afterReload(write('parts/name.yaml', 'Name: { const: new }\n'))
    await expectName('new')
    await afterReload(write('api.yaml', 'openapi: 3.1.0\npaths: [\n'), /not reloaded/)
    await expectName('new')
  })

  it('reads a changed config file', async () => {
    folder.write('sim.yaml', 'list_count: 2\n')
    folder.write('api.yaml', 'routes:\n  GET /numbers: { output: { list: { type: integer } } }\n')
    await start('run', 'api.yaml')
    expect(await ask('/numbers')).toHaveLength(2)
    await afterReload(() => folder.write('sim.yaml', 'list_count: 4\n'))
    expect(await ask('/numbers')).toHaveLength(4)
  })

  it('reads a changed fixture', async () => {
    folder.write('data/users.json', '[{ "id": "a", "name": "Ann" }]')
    folder.write('api.yaml', `${USERS}store:\n  /users: { path: data/users.json }\n`)
    await start('run', 'api.yaml')
    expect(await ask('/users')).toMatchObject([{ name: 'Ann' }])
    await afterReload(write('data/users.json', '[{ "id": "a", "name": "Bob" }]'))
    expect(await ask('/users')).toMatchObject([{ name: 'Bob' }])
  })

  it('keeps the seed that was drawn, and what was stored where it still fits', async () => {
    folder.write('api.yaml', `${USERS}  GET /number: { output: { type: integer } }\n`)
    await start('run', 'api.yaml')
    const number = await ask('/number')
    await post(`${server.url}/users`, { name: 'Ann' })

    await afterReload(
      write('api.yaml', `${USERS}  GET /number: { output: { type: integer } }\n  GET /more:\n`),
    )
    expect(await ask('/number')).toBe(number)
    expect(await ask('/users')).toMatchObject([{ name: 'Ann' }])

    await afterReload(
      write('api.yaml', USERS.replace('name: { type: string,', 'name: { type: string, maxLength: 2,')),
    )
    expect(server.stderr()).toMatch(/^\/users begins anew: item .* does not fit its model: name: /m)
    expect(await ask('/users')).not.toMatchObject([{ name: 'Ann' }])
  })

  it('ends at once on SIGTERM', async () => {
    await startOld()
    await ask('/name')
    expect(await server.stop()).toBe(0)
  })
})

describe('sim proxy --watch', () => {
  it('serves changed routes', async () => {
    folder.write('one.yaml', routes('old'))
    folder.write('two.json', '{ "routes": { "GET /two": { "output": { "const": 2 } } } }')
    await start('proxy', '--routes', 'one.yaml', '--routes', 'two.json')
    await afterReload(write('one.yaml', routes('new')))
    expect([await ask('/name'), await ask('/two')]).toEqual(['new', 2])
    await afterReload(write('two.json', '{ "routes": { "GET /name": {} } }'), /not reloaded/)
    expect(server.stderr()).toContain("Duplicate GET endpoint registered for path '/name'")
  })
})

describe('tunnels of sim proxy --watch', () => {
  const routes = (name: string): string =>
    `routes: { GET /name: { output: { const: ${name} }, host: a.test } }`
  let port: number
  beforeEach(async () => {
    folder.write('api.yaml', routes('old'))
    await openAuthority(join(folder.path, 'ca'))
  })

  const startProxy = async (...args: readonly string[]): Promise<void> => {
    await start('proxy', '--routes', 'api.yaml', '--ca-dir', 'ca', ...args)
    port = Number(new URL(server.url).port)
  }
  const reload = () => afterReload(write('api.yaml', routes('new')))
  const askIn = async (socket: Socket): Promise<string> => {
    socket.write(requestText('GET /name', 'Host: a.test'))
    return String((await once(socket, 'data'))[0])
  }
  const tlsTo = (options = {}) => tlsThroughTunnel(join(folder.path, 'ca'), port, 'a.test:443', options)

  it('answers in tunnels by what was loaded last, in old ones and in new ones', async () => {
    await startProxy()
    const before = await tlsTo()
    expect(await askIn(before)).toMatch(/"old"$/)
    await reload()
    expect(await askIn(before)).toMatch(/"new"$/)
    const after = await tlsTo()
    expect(await askIn(after)).toMatch(/"new"$/)
    before.destroy()
    after.destroy()
  })

  it('has clients of HTTP/2 begin again', async () => {
    await startProxy()
    const open = async () => {
      const socket = await tlsTo({ ALPNProtocols: ['h2'] })
      return connectHttp2('https://a.test', { createConnection: () => socket })
    }
    const before = await open()
    expect(await text(before.request({ ':path': '/name' }))).toBe('"old"')
    const ended = once(before, 'goaway')
    await reload()
    await ended
    const after = await open()
    expect(await text(after.request({ ':path': '/name' }))).toBe('"new"')
    after.destroy()
  })

  it('keeps tunnels and WebSockets that pass through, and opens others', async () => {
    const upstream = await startUpstream((_request, response) => response.end('plain'))
    const sockets = new WebSocketServer({ server: upstream.server })
    sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data.toString())))
    atEnd(() => sockets.close())
    await startProxy('--upstream', upstream.url)
    const echo = async (socket: WebSocket, message: string) => {
      socket.send(message)
      expect(String((await once(socket, 'message'))[0])).toBe(message)
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    await once(socket, 'open')
    const tunnel = await openTunnel(port, `127.0.0.1:${upstream.port}`)
    await reload()
    await echo(socket, 'still here')
    tunnel.write(lastRequest('GET /', 'x'))
    expect(await textOf(tunnel)).toMatch(/plain$/)
    const another = new WebSocket(`ws://127.0.0.1:${port}/`)
    await once(another, 'open')
    await echo(another, 'here too')
    for (const each of [socket, another]) each.terminate()
  })

  it('ends on SIGTERM, though tunnels are open', async () => {
    const upstream = await startUpstream(() => undefined)
    await startProxy()
    const tunnel = await openTunnel(port, `127.0.0.1:${upstream.port}`)
    await reload()
    await openTunnel(port, `127.0.0.1:${upstream.port}`)
    expect(await server.stop()).toBe(0)
    tunnel.destroy()
  })

  it('refuses its own port, and heads that are too long', async () => {
    await startProxy('--max-header-bytes', '2000')
    const toItself = lastRequest(`GET http://127.0.0.2:${port}/x`)
    expect(await rawAnswer(port, toItself)).toMatch(/^HTTP\/1.1 403 /)
    const long = requestText('GET /', 'Host: a', `x: ${'x'.repeat(3000)}`)
    expect(await rawAnswer(port, long)).toMatch(/^HTTP\/1.1 431 /)
    expect(await rawAnswer(port, requestText('GET /'))).toMatch(/^HTTP\/1.1 400 /)
  })

  it('forwards nowhere beyond loopback until hosts are allowed', async () => {
    const upstream = await startUpstream((_request, response) => response.end('plain'))
    await startProxy('--host', '0.0.0.0')
    expect(await rawAnswer(port, lastRequest(`GET ${upstream.url}/`))).toMatch(/^HTTP\/1.1 403 /)
    expect(await rawAnswer(port, lastRequest('GET /__sim/health', 'localhost'))).toMatch(/^HTTP\/1.1 403 /)
  })
})
