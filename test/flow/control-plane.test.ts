import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { usersApi } from '../control/ask.ts'

/** A gateway in front of an upstream that notes whatever reaches it. */
async function start(options: Partial<GatewayOptions> = {}) {
  const reached: string[] = []
  const upstream = createServer(({ method, url }, response) => {
    reached.push(`${method} ${url}`)
    response.end('upstream')
  })
  upstream.on('upgrade', ({ url }, socket) => {
    reached.push(`upgrade ${url}`)
    socket.destroy()
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port: upstreamPort } = upstream.address() as AddressInfo
  const app = createGateway({
    ...usersApi().gatewayOptions(),
    upstream: `http://127.0.0.1:${upstreamPort}`,
    targets: { proxy: true },
    ...options,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await app.close()
    upstream.closeAllConnections()
    upstream.close()
  })
  return { app, url, port: Number(new URL(url).port), upstreamPort, reached }
}

/** What comes back for raw text. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(text)
  await Promise.race([once(socket, 'close'), once(socket, 'data')])
  socket.destroy()
  return heard
}

describe('the control plane on the wire', () => {
  it.for([
    ['GET /__sim/health HTTP/1.1', 'Host: 127.0.0.1', '200'],
    ['GET /__sim/health HTTP/1.1', 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket', '200'],
    ['GET /__sim/nothing HTTP/1.1', 'Host: 127.0.0.1', '404'],
    ['GET /__sim/health HTTP/1.1', 'Host: attacker.example', '403'],
    ['GET http://attacker.example/__sim/health HTTP/1.1', 'Host: 127.0.0.1', '403'],
    ['GET /__sim/health HTTP/1.1', 'Host: 127.0.0.1\r\nOrigin: http://attacker.example', '403'],
    ['GET /__sim/s/a/__sim/health HTTP/1.1', 'Host: 127.0.0.1', '200'],
    ['GET /__sim/s/a/__sim/health HTTP/1.1', 'Host: attacker.example', '403'],
    ['DELETE /__sim HTTP/1.1', 'Host: 127.0.0.1', '404'],
  ] as const)('answers %s with %s itself: %s', async ([line, headers, status]) => {
    const { port, reached } = await start()
    expect(await send(port, `${line}\r\n${headers}\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(reached).toEqual([])
  })

  it('is asked by clients that use the gateway as their proxy too', async () => {
    const { port } = await start()
    const own = `127.0.0.1:${port}`
    expect(await send(port, `GET http://${own}/__sim/health HTTP/1.1\r\nHost: ${own}\r\n\r\n`)).toContain(
      '"status":"ok"',
    )
  })

  it('is not what another server has below the same path, nor asked of it', async () => {
    const { port, upstreamPort, reached } = await start()
    const other = `127.0.0.1:${upstreamPort}`
    const heard = await send(port, `GET http://${other}/__sim/health HTTP/1.1\r\nHost: ${other}\r\n\r\n`)
    expect(heard).toMatch(/^HTTP\/1.1 403 /)
    expect(reached).toEqual([])
  })

  it('knows of an answer as soon as the client has it', async () => {
    const { url } = await start()
    for (let i = 1; i <= 50; i++) {
      await (await fetch(`${url}/forwarded/${i}`)).text()
      const answer = await fetch(`${url}/__sim/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requests: [{ path: '/forwarded/*', exactly: i }] }),
      })
      expect(answer.status).toBe(200)
    }
  })

  it('changes chaos of what is forwarded while it goes on', async () => {
    const { url, reached } = await start()
    const statusOf = async () => (await fetch(`${url}/x`)).status
    expect(await statusOf()).toBe(200)
    await fetch(`${url}/__sim/chaos`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"rules":[{"errors":{"rate":1,"codes":[503]}}]}',
    })
    expect(await statusOf()).toBe(503)
    expect(reached).toHaveLength(1)
  })

  it('measures what is forwarded', async () => {
    const { url, upstreamPort } = await start()
    await (await fetch(`${url}/x`)).text()
    const text = await (await fetch(`${url}/__sim/metrics`)).text()
    expect(text).toContain('sim_requests_total{route="undeclared",mode="simulate",status="200"} 1')
    expect(text).toContain(
      `sim_upstream_connections{origin="http://127.0.0.1:${upstreamPort}",state="connected"} 1`,
    )
  })
})
