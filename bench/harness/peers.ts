import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { User } from '../servers/model.mjs'
import { installed, script } from './commands.ts'
import { freePort } from './nginx.ts'
import type { ServerCommand } from './server.ts'

/** The other products, each with the same two routes, and the files they read. */
export interface Peers {
  readonly servers: readonly ServerCommand[]
  remove(): Promise<void>
}

/** Writes what the peers read, and returns how they are started. */
export async function createPeers(): Promise<Peers> {
  const folder = await mkdtemp(join(tmpdir(), 'sim-bench-peers-'))
  const servers = [
    script('json-schema-faker on Fastify', 'json-schema-faker.mjs'),
    script('mockttp', 'mockttp.mjs'),
    await wiremock(folder),
    await prism(folder),
    await mockoon(folder),
  ]
  return { servers, remove: () => rm(folder, { recursive: true }) }
}

async function wiremock(folder: string): Promise<ServerCommand> {
  const root = join(folder, 'wiremock')
  await mkdir(join(root, 'mappings'), { recursive: true })
  const templated = `{"id":"{{randomValue type='UUID'}}","name":"{{randomValue length=12 type='ALPHABETIC'}}","email":"{{randomValue length=8 type='ALPHABETIC'}}@example.com","age":{{randomInt lower=18 upper=91}},"created_at":"{{now}}"}`
  const bodies = {
    '/user': templated,
    '/users': `[${Array.from({ length: 10 }, () => templated).join(',')}]`,
  }
  for (const [path, body] of Object.entries(bodies)) {
    const response = {
      status: 200,
      body,
      headers: { 'Content-Type': 'application/json' },
      transformers: ['response-template'],
    }
    const mapping = { request: { method: 'GET', urlPath: path }, response }
    await writeFile(join(root, 'mappings', `${path.slice(1)}.json`), JSON.stringify(mapping))
  }
  const port = await freePort()
  const jar = installed('wiremock/build/wiremock-standalone-3.13.2.jar')
  const args = [
    '-jar',
    jar,
    '--port',
    String(port),
    '--root-dir',
    root,
    '--no-request-journal',
    '--disable-banner',
  ]
  return {
    name: 'WireMock',
    command: 'java',
    args: [...args, '--bind-address', '127.0.0.1'],
    url: `http://127.0.0.1:${port}`,
  }
}

async function prism(folder: string): Promise<ServerCommand> {
  const answer = (schema: object): object => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  })
  const Users = { type: 'array', items: User, minItems: 10, maxItems: 10 }
  const document = {
    openapi: '3.0.3',
    info: { title: 'Users', version: '1' },
    paths: { '/user': { get: answer(User) }, '/users': { get: answer(Users) } },
  }
  const file = join(folder, 'prism.json')
  await writeFile(file, JSON.stringify(document))
  const port = await freePort()
  const cli = installed('@stoplight/prism-cli/dist/index.js')
  const args = [cli, 'mock', '--dynamic', '--verboseLevel', 'error', '--port', String(port), file]
  return { name: 'Prism', command: process.execPath, args, url: `http://127.0.0.1:${port}` }
}

async function mockoon(folder: string): Promise<ServerCommand> {
  const port = await freePort()
  const user = `{"id":"{{faker 'string.uuid'}}","name":"{{faker 'person.fullName'}}","email":"{{faker 'internet.email'}}","age":{{faker 'number.int' min=18 max=90}},"created_at":"{{now}}"}`
  const bodies = { user, users: `[{{#repeat 10}}${user}{{/repeat}}]` }
  const routes = Object.entries(bodies).map(([endpoint, body]) => ({
    uuid: endpoint,
    type: 'http',
    documentation: '',
    method: 'get',
    endpoint,
    responses: [
      {
        uuid: `${endpoint}-200`,
        body,
        latency: 0,
        statusCode: 200,
        label: '',
        headers: [{ key: 'Content-Type', value: 'application/json' }],
        bodyType: 'INLINE',
        default: true,
        rules: [],
        rulesOperator: 'OR',
      },
    ],
    responseMode: null,
  }))
  const environment = { uuid: 'bench', lastMigration: 33, name: 'bench', port, hostname: '127.0.0.1', routes }
  const file = join(folder, 'mockoon.json')
  await writeFile(file, JSON.stringify(environment))
  const cli = installed('@mockoon/cli/bin/run.js')
  const args = [cli, 'start', '--data', file, '--repair', '--disable-log-to-file']
  return { name: 'Mockoon', command: process.execPath, args, url: `http://127.0.0.1:${port}` }
}
