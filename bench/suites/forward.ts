import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { script, simOf } from '../harness/commands.ts'
import { compare, type Contender } from '../harness/compare.ts'
import type { Row } from '../harness/figures.ts'
import { FILES, passingServer } from '../harness/nginx.ts'
import { throughputRows } from '../harness/rows.ts'
import type { ServerCommand } from '../harness/server.ts'
import { settings } from '../harness/settings.ts'
import { inSurroundings, isWanted, measureWorks, type Surroundings, type Work } from '../harness/work.ts'
import { SHARE } from '../servers/model.mjs'
import type { Suite } from './suite.ts'

/** CPU for a forwarded request, against the least that a proxy of Node takes, and against our own forwarding. */
export const FORWARD_WORKS: readonly Work[] = [
  {
    ...file('forward', 'forward 250 bytes', 'short'),
    ours: async (build, name, { upstream }) => forwarding(build, name, await upstream()),
    theirs: async ({ upstream }) =>
      script('node:http and undici dispatch', 'undici-dispatch.mjs', await upstream()),
    target: { atMost: 1.15 },
  },
  {
    ...file('forward-nginx', 'forward 250 bytes, an upstream that bounds nobody', 'short'),
    ours: async (build, name, { upstream }) => forwarding(build, name, await upstream()),
    theirs: async ({ upstream, folder }) => passingServer(await upstream(), folder),
  },
  {
    ...file('forward-chaos', 'forward 250 bytes with chaos, 1 % errors', 'short', 'some'),
    ours: async (build, name, { upstream, folder }) => {
      const rule = { name: 'failing', match: { path: '/**' }, errors: { rate: SHARE, codes: [503] } }
      const config = join(folder, 'chaos.json')
      await writeFile(
        config,
        JSON.stringify({ seed: 42, gateway: { upstream: await upstream(), chaos: { rules: [rule] } } }),
      )
      return simOf(build, name, 'proxy', '--config', config)
    },
    theirs: async ({ upstream }) => forwarding(settings.build, 'sim without chaos', await upstream()),
    target: { atMost: 1.1 },
  },
  {
    ...file('forward-check', 'forward 1 KiB of JSON with --check report', 'fresh'),
    ours: async (build, name, { upstream, folder }) => {
      const description = join(folder, 'checked.json')
      await writeFile(description, JSON.stringify(CHECKED))
      const flags = ['--check', 'report', '--check-against', description]
      return simOf(build, name, 'proxy', '--upstream', await upstream(), ...flags)
    },
    theirs: async ({ upstream }) => forwarding(settings.build, 'sim without a check', await upstream()),
    target: { atMost: 1.25 },
  },
  {
    ...file('record', 'record 1 KiB of JSON, never the same', 'fresh'),
    ours: recording,
    theirs: async ({ upstream }) => forwarding(settings.build, 'sim without recording', await upstream()),
    target: { atMost: 1.35 },
  },
]

/** Describes the files that are forwarded, of which nobody knows the fields. */
const CHECKED = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/{name}': {
      get: {
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: { description: 'A file', content: { '*/*': { schema: { type: ['object', 'array'] } } } },
        },
      },
    },
  },
}

/** Forwarding against proxies that do nothing else. */
export const forward: Suite = {
  name: 'forward',
  describe: 'forwarding against undici, nginx, http-proxy and a pipe of node:http',
  async measure() {
    const works = FORWARD_WORKS.filter(({ name }) => name !== 'record')
    return [...(await measureWorks(works)), ...(settings.rows.length === 0 ? await measureFiles() : [])]
  },
}

/** Recording against forwarding alone. */
export const record: Suite = {
  name: 'record',
  describe: 'forwarding with recording on, against our own without',
  async measure() {
    const fresh = await measureWorks(FORWARD_WORKS.filter(({ name }) => name === 'record'))
    if (!isWanted({ name: 'record-same' })) return fresh
    return inSurroundings(async (surroundings) => {
      const off = forwarding(settings.build, 'sim without recording', await surroundings.upstream())
      const on = await recording(settings.build, 'sim', surroundings)
      const same = await compare([on, off].map((server) => asking(server, '1k')))
      return [
        ...throughputRows('forward and record 1 KiB', 'sim', same, [{ name: off.name, atLeast: 0.75 }]),
        ...fresh,
      ]
    })
  },
}

async function measureFiles(): Promise<readonly Row[]> {
  return inSurroundings(async ({ upstream: start, folder }) => {
    const upstream = await start()
    const ours = forwarding(settings.build, 'sim', upstream)
    const nginx = await passingServer(upstream, folder)
    const proxy = script('http-proxy, keep-alive', 'http-proxy.mjs', upstream)
    const pipe = script('node:http pipe', 'pipe.mjs', upstream)
    const small = await compare([ours, nginx, proxy].map((server) => asking(server, '1k')))
    const middle = await compare([ours, proxy].map((server) => asking(server, '100k')))
    const large = await compare([ours, pipe].map((server) => asking(server, '10m')))
    return [
      ...throughputRows('forward 1 KiB from files', 'sim', small, [
        { name: nginx.name, atLeast: 0.5 },
        { name: proxy.name, atLeast: 1.1 },
      ]),
      ...throughputRows('forward 100 KiB', 'sim', middle, [{ name: proxy.name, atLeast: 1.1 }]),
      ...throughputRows('forward 10 MiB', 'sim', large, [{ name: pipe.name, atLeast: 0.9 }]),
    ]
  })
}

function forwarding(build: string, name: string, upstream: string): ServerCommand {
  return simOf(build, name, 'proxy', '--upstream', upstream)
}

let recordings = 0

async function recording(
  build: string,
  name: string,
  { upstream, folder }: Surroundings,
): Promise<ServerCommand> {
  const directory = join(folder, `recording-${++recordings}`)
  return simOf(build, name, 'proxy', '--upstream', await upstream(), '--record', directory)
}

function file(
  name: string,
  describe: string,
  served: string,
  errors?: 'some',
): Pick<Work, 'name' | 'describe' | 'request' | 'check'> {
  const { request, check } = ofFile(served)
  return { name, describe, request: { ...request, ...(errors !== undefined && { errors }) }, check }
}

function asking(server: ServerCommand, served: string): Contender {
  return { server, ...ofFile(served) }
}

function ofFile(served: string): Pick<Contender, 'request' | 'check'> {
  return {
    request: { path: `/${served}` },
    check(body) {
      if (body.length !== FILES[served])
        throw new Error(`its body has ${body.length} bytes, not ${FILES[served]}`)
    },
  }
}
