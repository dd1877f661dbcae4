import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, type Contender } from '../harness/compare.ts'
import { script, sim } from '../harness/commands.ts'
import type { Row } from '../harness/figures.ts'
import { FILES, fileServer, passingServer } from '../harness/nginx.ts'
import { throughputRows } from '../harness/rows.ts'
import { startServer, type ServerCommand } from '../harness/server.ts'
import type { Suite } from './suite.ts'

/** Forwarding against proxies that do nothing else. */
export const forward: Suite = {
  name: 'forward',
  describe: 'forwarding against nginx, http-proxy and a pipe of node:http',
  async measure() {
    return withUpstream(async (upstream) => {
      const ours = sim('sim', 'proxy', '--upstream', upstream)
      const nginx = await passingServer(upstream)
      const proxy = script('http-proxy, keep-alive', 'http-proxy.mjs', upstream)
      const pipe = script('node:http pipe', 'pipe.mjs', upstream)
      try {
        const small = await compare([ours, nginx, proxy].map((server) => file(server, '1k')))
        const middle = await compare([ours, proxy].map((server) => file(server, '100k')))
        const large = await compare([ours, pipe].map((server) => file(server, '10m')))
        return [
          ...throughputRows('forward 1 KiB', 'sim', small, [
            { name: nginx.name, least: 0.5 },
            { name: proxy.name, least: 1.1 },
          ]),
          ...throughputRows('forward 100 KiB', 'sim', middle, [{ name: proxy.name, least: 1.1 }]),
          ...throughputRows('forward 10 MiB', 'sim', large, [{ name: pipe.name, least: 0.9 }]),
        ]
      } finally {
        await nginx.remove()
      }
    })
  },
}

/** Recording against forwarding alone. */
export const record: Suite = {
  name: 'record',
  describe: 'forwarding with recording on, against our own without',
  async measure() {
    return withUpstream(async (upstream) => {
      const folder = await mkdtemp(join(tmpdir(), 'sim-bench-record-'))
      try {
        const on = sim('sim', 'proxy', '--upstream', upstream, '--record', join(folder, 'recording'))
        const off = sim('sim without recording', 'proxy', '--upstream', upstream)
        const same = await compare([on, off].map((server) => file(server, '1k')))
        const fresh = await compare([on, off].map((server) => file(server, 'fresh')))
        return [
          ...throughputRows('forward and record 1 KiB', 'sim', same, [{ name: off.name, least: 0.75 }]),
          ...throughputRows('forward and record 1 KiB of JSON, never the same', 'sim', fresh, [
            { name: off.name },
          ]),
        ]
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  },
}

async function withUpstream(measure: (url: string) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const files = await fileServer()
  const upstream = await startServer(files)
  try {
    return await measure(upstream.url)
  } finally {
    await upstream.stop()
    await files.remove()
  }
}

function file(server: ServerCommand, name: string): Contender {
  return {
    server,
    path: `/${name}`,
    check(body) {
      if (body.length !== FILES[name])
        throw new Error(`its body has ${body.length} bytes, not ${FILES[name]}`)
    },
  }
}
