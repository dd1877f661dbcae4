import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import yargs from 'yargs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addFlags, checkFlag, readFlags } from '../../src/cli/flags.ts'
import { UsageInvalid } from '../../src/errors.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { toGatewayOptions, type GatewayConfig } from '../../src/options/gateway-config.ts'
import { GATEWAY_OPTIONS } from '../../src/options/gateway-options.ts'
import { merge } from '../../src/options/merge.ts'
import { number, TEXT, whole } from '../../src/pipeline/option.ts'
import { temporaryDirectory } from '../temporary-folder.ts'
import { temporaryDirectory as recordingsDirectory, writeRecording } from '../recording/samples.ts'
import { serveHere, simHere } from './run-in-process.ts'

const directory = temporaryDirectory()
afterEach(() => vi.unstubAllEnvs())

function optionsOf(...args: readonly string[]): Partial<GatewayOptions> {
  const given = addFlags(yargs([...args]), GATEWAY_OPTIONS).parseSync()
  return toGatewayOptions(readFlags<GatewayConfig>(given, GATEWAY_OPTIONS))
}

describe('the values of flags', () => {
  it.for([
    [whole(), [0, 7], [-1, 0.5, Number.NaN, Infinity], '--it must be a whole number, 0 or more, not -1'],
    [whole(0, 65_535), [0, 65_535], [70_000], '--it must be a whole number from 0 to 65535, not 70000'],
    [number(0, 1, 'a share'), [0, 0.5], [2, Number.NaN], '--it must be a share, not 2'],
    [{ ...TEXT, secret: true }, ['x'], [3], '--it must be a text'],
  ] as const)('lie within bounds (case %#)', ([option, good, bad, message]) => {
    for (const value of good) expect(() => checkFlag('it', value, option)).not.toThrow()
    for (const value of bad) expect(() => checkFlag('it', value, option)).toThrow(UsageInvalid)
    expect(() => checkFlag('it', bad[0], option)).toThrow(new UsageInvalid(message))
  })

  it('leave what a file says where none was given', () => {
    const file = { upstream: 'http://a', replay: { speed: 2 }, recordLimits: { dedupe: true } }
    expect(merge<object>(file, optionsOf())).toMatchObject(file)
  })

  it('become those of the gateway', async () => {
    const file = join(directory, 'some.pem')
    await writeFile(file, 'PEM')
    vi.stubEnv('NO_PROXY', 'near.test')
    expect(
      merge<object>(
        {},
        optionsOf(
          ...['--intercept', '*', '--tunnel', 'a.test', '--ca-dir', '/ca', '--proxy-auth', 'u:p'],
          ...['--insecure', 'b.test', '--upstream-proxy', 'http://proxy.test', '--upstream-ca', file],
          ...['--client-cert', file, '--client-key', file, '--match-header', 'a', '--ignore-host'],
          ...['--ignore-query', 'b', '--ignore-body', '/c', '--ignore-pattern', 'd'],
          ...['--replay-after', 'miss', '--replay-timing', 'none', '--replay-speed', '2'],
          ...['--record-max-exchanges', '3', '--record-max-megabytes', '2', '--record-dedupe'],
        ),
      ),
    ).toEqual({
      tls: { intercept: ['*'], tunnel: ['a.test'], caDirectory: '/ca' },
      proxyAuth: ['u:p'],
      reach: {
        tls: { insecure: ['b.test'], ca: 'PEM', clientCert: 'PEM', clientKey: 'PEM' },
        proxy: { url: 'http://proxy.test', noProxy: 'near.test' },
      },
      replay: {
        matchHeaders: ['a'],
        ignoreHost: true,
        ignoreQuery: ['b'],
        ignoreBody: ['/c'],
        ignorePatterns: ['d'],
        after: 'miss',
        timing: 'none',
        speed: 2,
      },
      recordLimits: { maxExchanges: 3, maxBytes: 2 * 1024 * 1024, dedupe: true },
      targets: {},
      modes: {},
      redact: {},
      control: {},
      log: {},
      sessions: {},
    })
  })

  it('heed NO_PROXY only with a proxy ahead', () => {
    vi.stubEnv('NO_PROXY', 'near.test')
    expect(optionsOf().reach).not.toHaveProperty('proxy')
  })

  it('reach the replayer', async () => {
    const recording = await writeRecording(
      join(await recordingsDirectory()),
      { url: 'http://a.test/a?n=1', responseBody: 'one' },
      { url: 'http://a.test/a?n=2', responseBody: 'two' },
    )
    const options = ['--ignore-query', 'n', '--replay-after', 'loop', '--replay-timing', 'original']
    const served = await serveHere('proxy', '--mode', 'replay', '--recording', recording, ...options)
    const seen: string[] = []
    for (let n = 0; n < 3; n++) seen.push(await (await fetch(`${served.url}/a?n=${n}`)).text())
    expect(seen).toEqual(['one', 'two', 'one'])
    expect(await served.stop()).toBe(0)
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
    [['--state', 'http://user:secret@x'], /^--state must be the URL of a server, such as [^@]+\n/],
    [['--upstream-ca', '/no/such.pem'], /^--upstream-ca: cannot read \/no\/such\.pem: ENOENT/],
    [['--ignore-body', 'a', '--ignore-body', '/b'], '--ignore-body must be a list of JSON pointers such as'],
    [
      ['--ignore-pattern', '['],
      '--ignore-pattern must be a list of regular expressions (Invalid regular expression',
    ],
    [['--match-header', 'a:b'], '--match-header must be a list of names of headers such as'],
    [['--replay-speed', '0'], '--replay-speed must be a number above 0, not 0'],
    [['--replay-speed', 'fast'], '--replay-speed must be a number above 0'],
    [['--replay-after', 'stop'], 'Invalid values:'],
  ] as const)('refuse %j as wrong use', async ([args, message]) => {
    const { code, stderr } = await simHere('proxy', ...args)
    const expected =
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message)
    expect([code, stderr]).toEqual([2, expected])
  })
})
