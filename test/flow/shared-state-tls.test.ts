import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createAuthority, createIssuer } from '../../src/http/certificates.ts'
import { connect } from '../../src/state/redis/connection.ts'
import { freePort } from '../free-port.ts'
import { hasRedis, startRedis } from '../state/redis-server.ts'
import { openFolder } from './kit.ts'
import { COMMAND, startProcess, type SimServer } from './sim-process.ts'

const open: { stop(): Promise<unknown> }[] = []
afterAll(async () => {
  for (const each of open.toReversed()) await each.stop()
})

const BAKERY = join(import.meta.dirname, '../repro/bakery.yaml')

it.skipIf(!hasRedis)(
  'gateways share a state over TLS, and say what is missing where they cannot',
  async () => {
    const authority = await createAuthority()
    const { key, cert } = await (await createIssuer(authority))('localhost')
    const folder = openFolder()
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder.path, name), text)
      return join(folder.path, name)
    }
    const [ca, port] = [file('ca.pem', authority.cert), await freePort()]
    const files = ['--tls-cert-file', file('cert.pem', cert), '--tls-key-file', file('key.pem', key)]
    const tls = ['--tls-port', String(port), ...files, '--tls-ca-cert-file', ca, '--tls-auth-clients', 'no']
    const redis = await startRedis({ args: [...tls, '--requirepass', 'p@ss/word'] })
    open.push(redis)

    const url = `rediss://:p%40ss%2Fword@localhost:${port}/2`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca, SIM_STATE: url }
    const start = async (): Promise<SimServer> => {
      const server = await startProcess(
        process.execPath,
        [COMMAND, 'run', BAKERY, '--stateful'],
        folder.path,
        env,
      )
      open.push(server)
      return server
    }
    const [one, other] = await Promise.all([start(), start()])
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rye', shape: 'round', layers: 2 })
    const made = await fetch(`${one.url}/cakes`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    const { id } = (await made.json()) as { readonly id: number }
    expect((await fetch(`${other.url}/cakes/${id}`)).status).toBe(200)

    await expect(connect({ url })).rejects.toThrow(/self-signed.* in NODE_EXTRA_CA_CERTS$/)
    await expect(connect({ url: redis.url })).rejects.toThrow(/NOAUTH.* redis:\/\/:password@host$/)
    await expect(connect({ url: `rediss://localhost:${redis.port}` })).rejects.toThrow(/localhost/)
  },
)

it.skipIf(!hasRedis)('a gateway shows a server its certificate, which wants one', async () => {
  const authority = await createAuthority()
  const { key, cert } = await (await createIssuer(authority))('localhost')
  const folder = openFolder()
  const path = (name: string): string => join(folder.path, name)
  const own = ['-keyout', path('own-key.pem'), '-out', path('own.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=gateway', ...own], {
    stdio: 'ignore',
  })
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text)
    return path(name)
  }
  const port = await freePort()
  const args = ['--tls-port', String(port), '--tls-ca-cert-file', path('own.pem')]
  const files = ['--tls-cert-file', write('cert.pem', cert), '--tls-key-file', write('key.pem', key)]
  const redis = await startRedis({ args: [...args, ...files] })
  open.push(redis)
  const url = `rediss://localhost:${port}/0?cacert=${write('ca.pem', authority.cert)}`

  const connection = await connect({ url: `${url}&cert=${path('own.pem')}&key=${path('own-key.pem')}` })
  expect(connection.isUp).toBe(true)
  await connection.close()
  await expect(connect({ url })).rejects.toThrow(/may want a certificate of the gateway: rediss:.*cert=/)
  const without = connect({ url: `${url}&cert=${path('none.pem')}` })
  await expect(without).rejects.toThrow(/ENOENT.*none\.pem/)
  await expect(connect({ url: `${url}&certificate=own.pem` })).rejects.toThrow(/may have files after a \?/)
})
