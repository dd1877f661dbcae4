import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { atEnd } from '../at-end.ts'
import { fetchFrom, openFolder, startProxy, startUpstream } from './kit.ts'
import { lastRequest, rawAnswer, requestText } from './raw-client.ts'
import { COMMAND, startProcess } from './sim-process.ts'

const SOCKS5_GREETING = Buffer.from([5, 1, 0])

function socks5To(host: string, port: number): Buffer {
  return Buffer.from([5, 1, 0, 3, host.length, ...Buffer.from(host), port >> 8, port & 255])
}

describe('a gateway that is offline', () => {
  it('reaches this machine by address and by name, and nothing else', async () => {
    const { port } = await startUpstream((_request, response) => response.end('here'))
    const proxy = await startProxy({ reach: { offline: true } })
    for (const host of ['127.0.0.1', 'localhost', 'api.localhost'])
      expect(await rawAnswer(proxy.port, lastRequest(`GET http://${host}:${port}/`))).toMatch(/here$/)
    for (const host of ['10.1.2.3', 'example.com', '[2001:db8::1]', '[2002:7f00:1::1]', '127.0.0.1.nip.io'])
      expect(await rawAnswer(proxy.port, lastRequest(`GET http://${host}/`))).toMatch(
        /^HTTP\/1.1 502 [^]*SIM_UPSTREAM_OFFLINE/,
      )
    expect(await rawAnswer(proxy.port, requestText('CONNECT example.com:443', 'Host: a'))).toMatch(
      /^HTTP\/1.1 502 /,
    )
    const metrics = (await fetchFrom(`${proxy.url}/__sim/metrics`)).text
    expect(metrics).toMatch(/SIM_UPSTREAM_OFFLINE.* 5$/m)
  })

  it('takes no proxy to go elsewhere', () => {
    const reach = { offline: true, proxy: { url: 'http://127.0.0.1:3128' } }
    expect(() => createGateway({ upstream: 'http://a.example', reach })).toThrow('no upstream proxy')
  })
})

const hasStrace = spawnSync('strace', ['-V']).status === 0

it.skipIf(!hasStrace)(
  'opens no socket beyond loopback, and sends nothing to a resolver (strace)',
  async () => {
    const { path } = openFolder()
    const trace = join(path, 'trace')
    const { url: upstream } = await startUpstream((_request, response) => response.end('here'))
    const serve = [process.execPath, COMMAND, 'proxy', '--offline', '--upstream', upstream]
    const sim = await startProcess('strace', [
      '-D',
      '-f',
      '-e',
      'trace=connect,sendto,sendmsg,sendmmsg',
      '-o',
      trace,
      ...serve,
    ])
    atEnd(() => sim.stop())
    const port = Number(new URL(sim.url).port)
    expect((await fetchFrom(sim.url)).text).toBe('here')
    for (const host of ['example.com', 'api.example.com:8080', '192.0.2.1'])
      await rawAnswer(port, lastRequest(`GET http://${host}/`))
    await rawAnswer(port, requestText('CONNECT example.org:443', 'Host: a'))
    await rawAnswer(port, SOCKS5_GREETING, socks5To('example.net', 443))
    await sim.stop()
    const reached = [...readFileSync(trace, 'utf8').matchAll(/sa_family=(AF_INET6?), .*?"([^"]+)"/g)]
    expect(reached.length).toBeGreaterThan(0)
    expect(new Set(reached.map(([, , address]) => address))).toEqual(new Set(['127.0.0.1']))
    expect(readFileSync(trace, 'utf8')).not.toMatch(/htons\(53\)|nscd|systemd\.resolve/)
  },
)
