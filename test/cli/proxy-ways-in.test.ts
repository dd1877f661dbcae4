import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { waysInOf, type WaysInOptions } from '../../src/cli/proxy/ways-in.ts'
import { temporaryDirectory } from '../flow/ways-in-setup.ts'
import { simHere } from './run-in-process.ts'

const directory = temporaryDirectory()
afterEach(() => vi.unstubAllEnvs())

const NOTHING: WaysInOptions = {
  intercept: [],
  tunnel: [],
  caDir: undefined,
  proxyAuth: [],
  upstreamProxy: undefined,
  insecure: [],
  upstreamCa: undefined,
  clientCert: undefined,
  clientKey: undefined,
}

describe('the options of sim proxy about ways in', () => {
  it('become those of the gateway', async () => {
    const file = join(directory, 'some.pem')
    await writeFile(file, 'PEM')
    vi.stubEnv('NO_PROXY', 'near.test')
    const options = waysInOf({
      ...{ intercept: ['*'], tunnel: ['a.test'], caDir: '/ca', proxyAuth: ['u:p'], insecure: ['b.test'] },
      ...{ upstreamProxy: 'http://proxy.test', upstreamCa: file, clientCert: file, clientKey: file },
    })
    expect(options).toEqual({
      tls: { intercept: ['*'], tunnel: ['a.test'], caDirectory: '/ca' },
      proxyAuth: ['u:p'],
      reach: {
        tls: { insecure: ['b.test'], ca: 'PEM', clientCert: 'PEM', clientKey: 'PEM' },
        proxy: { url: 'http://proxy.test', noProxy: 'near.test' },
      },
    })
  })

  it('heed NO_PROXY only with a proxy ahead', () => {
    vi.stubEnv('NO_PROXY', 'near.test')
    expect(waysInOf(NOTHING).reach).not.toHaveProperty('proxy')
  })

  it.for([
    [['--client-cert', 'x.pem'], /^--client-cert and --client-key go together\n/],
    [['--watch', '--record', 'x'], /^--watch serves a new gateway for each change/],
    [['--watch', '--mode', 'new-episodes', '--recording', 'x'], /^--watch serves a new gateway/],
    [['--proxy-auth', 'secret'], /^--proxy-auth takes user:password/],
    [['--intercept', 'https://x'], /^--intercept takes hosts .* not 'https:\/\/x'\n/],
    [['--tunnel', 'a/b'], /^--tunnel takes hosts/],
    [['--insecure', 'a b'], /^--insecure takes hosts/],
    [['--upstream-proxy', 'proxy.test:1'], /^The upstream proxy must be a URL/],
    [['--upstream', 'foo'], /^The upstream must be a URL .* not 'foo'\n/],
    [['--allow-host', 'http://x'], /^An allowed host must be like/],
    [['--admin-token', 'short'], /^The admin token must be 8 or more/],
    [['--upstream-ca', '/no/such.pem'], /^--upstream-ca: cannot read \/no\/such\.pem: ENOENT/],
  ] as const)('refuse %j as wrong use', async ([args, message]) => {
    const { code, stderr } = await simHere('proxy', ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
