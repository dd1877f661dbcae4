import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { startSim, type SimServer } from './sim-process.ts'

const INDEX = JSON.stringify(resolve(import.meta.dirname, '../../dist/src/index.js'))
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
let server: SimServer | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  folder[Symbol.dispose]()
})

async function start(...args: readonly string[]): Promise<SimServer> {
  server = await startSim([...args, '--watch'], folder.path)
  // The seed is printed once the watching has begun.
  await server.prints(/^seed/m)
  return server
}

async function afterReload(edit: () => void, wanted = RELOADED): Promise<void> {
  const printed = server?.stderr().length
  edit()
  await server?.prints(wanted, printed)
}

const ask = async (path: string): Promise<unknown> => (await fetch(`${server?.url}${path}`)).json()

describe('sim run --watch', () => {
  it('serves a changed document on the connection that is open', async () => {
    folder.write('api.yaml', routes('old'))
    const { url } = await start('run', 'api.yaml')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const get = async (path: string): Promise<{ body: string; port: number | undefined }> => {
      const [response] = (await once(httpGet(`${url}${path}`, { agent }), 'response')) as [IncomingMessage]
      const port = response.socket.localPort
      return { body: await text(response), port }
    }
    const before = await get('/name')
    await afterReload(() => folder.write('api.yaml', routes('new')))
    const after = await get('/name')
    agent.destroy()
    expect([before.body, after.body]).toEqual(['"old"', '"new"'])
    expect(after.port).toBe(before.port)
  })

  it('lets a request that is under way end as it began', async () => {
    folder.write('api.yaml', routes('old'))
    await start('run', 'api.yaml')
    let isAnswered = false
    const slow = ask('/slow').finally(() => (isAnswered = true))
    await afterReload(() => folder.write('api.yaml', routes('new')))
    expect([isAnswered, await ask('/name'), await slow]).toEqual([false, 'new', 'old'])
  })

  it('keeps the last good version, and says why once', async () => {
    folder.write('api.yaml', routes('old'))
    await start('run', 'api.yaml')
    const broken = routes('new', '  GET /more: { lst_count: 3 }')
    await afterReload(() => folder.write('api.yaml', broken), /not reloaded/)
    expect(server?.stderr()).toContain(
      "api.yaml:6: GET /more: lst_count: no such option. Did you mean 'list_count'?",
    )
    expect(await ask('/name')).toBe('old')

    folder.write('api.yaml', broken)
    await afterReload(() => folder.write('api.yaml', routes('newest')))
    expect(server?.stderr().match(/not reloaded/g)).toHaveLength(1)
    expect(await ask('/name')).toBe('newest')
  })

  it('follows a file that an editor replaces, or that goes and comes back', async () => {
    const file = folder.write('api.yaml', routes('one'))
    await start('run', 'api.yaml')
    for (const name of ['two', 'three']) {
      await afterReload(() => renameSync(folder.write('api.yaml.swp', routes(name)), file))
      expect(await ask('/name')).toBe(name)
    }
    await afterReload(() => rmSync(file), /not reloaded/)
    expect(await ask('/name')).toBe('three')
    await afterReload(() => folder.write('api.yaml', routes('four')))
    expect(await ask('/name')).toBe('four')
  })

  it('loads a burst of saves with its last state', async () => {
    folder.write('api.yaml', routes('first'))
    await start('run', 'api.yaml')
    await afterReload(() => {
      for (let count = 0; count < 20; count++) folder.write('api.yaml', routes(`save${count}`))
    })
    expect(await ask('/name')).toBe('save19')
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
    expect(await ask('/name')).toBe('oldone')
    await afterReload(() => folder.write('names/name.ts', "export const name: string = 'new'\n"))
    expect(await ask('/name')).toBe('newone')
    await afterReload(() => folder.write('names/data.json', '{ "tag": "two" }'))
    expect(await ask('/name')).toBe('newtwo')
    await afterReload(() => folder.write('names/name.ts', 'export const name: string = ('), /not reloaded/)
    expect(await ask('/name')).toBe('newtwo')
    await afterReload(() => folder.write('names/name.ts', "export const name: string = 'mended'\n"))
    expect(await ask('/name')).toBe('mendedtwo')
  })

  it('executes a JavaScript module and a web app again', async () => {
    const app = (name: string): string => `import { SimAPI } from ${INDEX}
export const app = new SimAPI({ seed: 1 }).get('/name', { output: { const: '${name}' } }).asWebApp()\n`
    folder.write('app.mjs', app('old'))
    server = await startSim(['run', 'app.mjs', '--watch'], folder.path)
    expect(await ask('/name')).toBe('old')
    await afterReload(() => folder.write('app.mjs', app('new')))
    expect(await ask('/name')).toBe('new')
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
    expect(await ask('/name')).toBe('old1')
    await afterReload(() =>
      folder.write('names/name.mjs', "import tag from './tag.cjs'\nexport const name = 'new' + tag\n"),
    )
    expect(await ask('/name')).toBe('new1')
    await afterReload(() => folder.write('names/tag.json', '{ "tag": 2 }'))
    expect(await ask('/name')).toBe('new2')
    await afterReload(() => folder.write('names/tag.cjs', 'module.exports = 3\n'))
    expect(await ask('/name')).toBe('new3')
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
    expect(await ask('/name')).toBe('old')
    await afterReload(() => folder.write('parts/name.yaml', 'Name: { const: new }\n'))
    expect(await ask('/name')).toBe('new')
    await afterReload(() => folder.write('api.yaml', 'openapi: 3.1.0\npaths: [\n'), /not reloaded/)
    expect(await ask('/name')).toBe('new')
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
    await afterReload(() => folder.write('data/users.json', '[{ "id": "a", "name": "Bob" }]'))
    expect(await ask('/users')).toMatchObject([{ name: 'Bob' }])
  })

  it('keeps the seed that was drawn, and what was stored where it still fits', async () => {
    folder.write('api.yaml', `${USERS}  GET /number: { output: { type: integer } }\n`)
    await start('run', 'api.yaml')
    const number = await ask('/number')
    const headers = { 'content-type': 'application/json' }
    await fetch(`${server?.url}/users`, { method: 'POST', headers, body: '{ "name": "Ann" }' })

    await afterReload(() =>
      folder.write('api.yaml', `${USERS}  GET /number: { output: { type: integer } }\n  GET /more:\n`),
    )
    expect(await ask('/number')).toBe(number)
    expect(await ask('/users')).toMatchObject([{ name: 'Ann' }])

    await afterReload(() =>
      folder.write('api.yaml', USERS.replace('name: { type: string,', 'name: { type: string, maxLength: 2,')),
    )
    expect(server?.stderr()).toMatch(/^\/users begins anew: item .* does not fit its model: name: /m)
    expect(await ask('/users')).not.toMatchObject([{ name: 'Ann' }])
  })

  it('ends at once when it is told to', async () => {
    folder.write('api.yaml', routes('old'))
    const { stop } = await start('run', 'api.yaml')
    await ask('/name')
    expect(await stop()).toBe(0)
  })
})

describe('sim proxy --watch', () => {
  it('serves changed routes', async () => {
    folder.write('one.yaml', routes('old'))
    folder.write('two.json', '{ "routes": { "GET /two": { "output": { "const": 2 } } } }')
    await start('proxy', '--routes', 'one.yaml', '--routes', 'two.json')
    await afterReload(() => folder.write('one.yaml', routes('new')))
    expect([await ask('/name'), await ask('/two')]).toEqual(['new', 2])
    await afterReload(() => folder.write('two.json', '{ "routes": { "GET /name": {} } }'), /not reloaded/)
    expect(server?.stderr()).toContain("Duplicate GET endpoint registered for path '/name'")
  })
})
