import { describe, expect, it } from 'vitest'
import { open } from './ask.ts'

const TOKEN = 'correct-horse'

describe('without an admin token, the control plane', () => {
  it.for([
    'localhost',
    'localhost:8080',
    '127.0.0.1:8080',
    '127.9.9.9',
    '[::1]:8080',
    'app.localhost',
    'LOCALHOST',
  ])('answers a client on this machine that asks %s', async (host) => {
    const { ask } = open()
    expect((await ask('GET', '/__sim/health', undefined, { headers: { host } })).status).toBe(200)
  })

  it.for([
    'attacker.example',
    'attacker.example:8080',
    'localhost.attacker.example',
    '10.0.0.1',
    '127.0.0.1.nip.io',
    '0.0.0.0',
  ])('refuses a client that asks %s, as a name that was rebound does', async (host) => {
    const { ask } = open()
    const { status, body } = await ask('GET', '/__sim/health', undefined, { headers: { host } })
    expect([status, body.code]).toEqual([403, 'SIM_CONTROL_REFUSED'])
    expect(body.detail).toContain(host)
  })

  it.for(['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1'])('refuses a client at %s', async (remoteAddress) => {
    const { ask } = open()
    const { status, body } = await ask('GET', '/__sim/health', undefined, { remoteAddress })
    expect(status).toBe(403)
    expect(body.detail).toContain('--admin-token')
  })

  it('answers a client whose IPv4 address came as IPv6', async () => {
    const { ask } = open()
    expect((await ask('GET', '/__sim/health', undefined, { remoteAddress: '::ffff:127.0.0.1' })).status).toBe(
      200,
    )
  })

  it('refuses the pages of other origins', async () => {
    const { ask } = open()
    const from = async (origin: string) =>
      (await ask('POST', '/__sim/reset', {}, { headers: { origin } })).status
    expect(await from('http://attacker.example')).toBe(403)
    expect(await from('null')).toBe(403)
    expect(await from('http://localhost:5173')).toBe(200)
  })

  it('is off while the gateway listens beyond loopback', async () => {
    const { app } = open()
    await app.listen({ port: 0, host: '0.0.0.0' })
    const { port } = app.server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/__sim/health`)
    expect(answer.status).toBe(403)
    expect(((await answer.json()) as { detail: string }).detail).toContain(
      'off while the gateway listens beyond',
    )
    expect((await fetch(`http://127.0.0.1:${port}/users`)).status).toBe(200)
  })
})

describe('with an admin token, the control plane', () => {
  it('answers whoever has it, wherever from', async () => {
    const { ask } = open({ control: { adminToken: TOKEN } })
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'gateway.example' }
    expect(
      (await ask('GET', '/__sim/health', undefined, { headers, remoteAddress: '10.1.2.3' })).status,
    ).toBe(200)
  })

  it.for([undefined, 'Bearer wrong', `Basic ${TOKEN}`, 'Bearer ', `Bearer ${TOKEN}x`])(
    'refuses %s',
    async (authorization) => {
      const { ask } = open({ control: { adminToken: TOKEN } })
      const answer = await ask('GET', '/__sim/health', undefined, {
        headers: authorization === undefined ? {} : { authorization },
      })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(JSON.stringify(answer.body)).not.toContain(TOKEN)
    },
  )
})
