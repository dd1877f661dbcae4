import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { usersApi } from '../control/ask.ts'
import { fetchFrom, gatewayTo, post, send } from './kit.ts'
import { requestText } from './raw-client.ts'

/** A gateway in front of an upstream that notes whatever reaches it. */
async function start() {
  const reached: string[] = []
  const gateway = await gatewayTo(
    ({ method, url }, response) => {
      reached.push(`${method} ${url}`)
      response.end('upstream')
    },
    { ...usersApi().gatewayOptions(), targets: { proxy: true } },
  )
  gateway.upstream.server.on('upgrade', ({ url }, socket) => {
    reached.push(`upgrade ${url}`)
    socket.destroy()
  })
  return { ...gateway, reached }
}

/** The first of what comes back for a request. */
async function firstAnswer(port: number, line: string, ...headers: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(requestText(line, ...headers))
  await Promise.race([once(socket, 'close'), once(socket, 'data')])
  socket.destroy()
  return answer
}

describe('the control plane on the wire', () => {
  it.for([
    [200, 'GET /__sim/health', 'Host: 127.0.0.1'],
    [200, 'GET /__sim/health', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket'],
    [404, 'GET /__sim/nothing', 'Host: 127.0.0.1'],
    [403, 'GET /__sim/health', 'Host: attacker.example'],
    [403, 'GET http://attacker.example/__sim/health', 'Host: 127.0.0.1'],
    [403, 'GET /__sim/health', 'Host: 127.0.0.1', 'Origin: http://attacker.example'],
    [200, 'GET /__sim/s/a/__sim/health', 'Host: 127.0.0.1'],
    [403, 'GET /__sim/s/a/__sim/health', 'Host: attacker.example'],
    [404, 'DELETE /__sim', 'Host: 127.0.0.1'],
  ] as const)('answers %i itself to %s with %s', async ([status, line, ...headers]) => {
    const { port, reached } = await start()
    expect(await firstAnswer(port, line, ...headers)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(reached).toEqual([])
  })

  it('is there for clients that use the gateway as their proxy too', async () => {
    const { port } = await start()
    const own = `127.0.0.1:${port}`
    expect(await firstAnswer(port, `GET http://${own}/__sim/health`, `Host: ${own}`)).toContain(
      '"status":"ok"',
    )
  })

  it('is not what another server has below the same path, which gets no request either', async () => {
    const { port, upstream, reached } = await start()
    const other = `127.0.0.1:${upstream.port}`
    expect(await firstAnswer(port, `GET http://${other}/__sim/health`, `Host: ${other}`)).toMatch(
      /^HTTP\/1.1 403 /,
    )
    expect(reached).toEqual([])
  })

  it('knows of an answer as soon as the client has it', async () => {
    const { url } = await start()
    for (let i = 1; i <= 50; i++) {
      await fetchFrom(`${url}/forwarded/${i}`)
      const requests = [{ path: '/forwarded/*', exactly: i }]
      expect((await post(`${url}/__sim/verify`, { requests })).status).toBe(200)
    }
  })

  it('changes chaos of what is forwarded while it goes on', async () => {
    const { url, reached } = await start()
    expect((await fetchFrom(`${url}/x`)).status).toBe(200)
    await send('PUT', `${url}/__sim/chaos`, { rules: [{ errors: { rate: 1, codes: [503] } }] })
    expect((await fetchFrom(`${url}/x`)).status).toBe(503)
    expect(reached).toHaveLength(1)
  })

  it('measures what is forwarded', async () => {
    const { url, upstream } = await start()
    await fetchFrom(`${url}/x`)
    const { text } = await fetchFrom(`${url}/__sim/metrics`)
    expect(text).toContain('sim_requests_total{route="undeclared",mode="simulate",status="200"} 1')
    expect(text).toContain(`sim_upstream_connections{origin="${upstream.url}",state="connected"} 1`)
  })
})
