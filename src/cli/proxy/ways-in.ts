import { readFileSync } from 'node:fs'
import type { Argv } from 'yargs'
import type { GatewayOptions } from '../../gateway.ts'
import { readHostList } from '../../routing/host-list.ts'
import { createProxyAuth } from '../../http/proxy-auth.ts'
import { UsageInvalid } from '../../errors.ts'
import { asUsage } from '../options.ts'

/** Options of `sim proxy` about TLS, proxy clients, and how upstreams are reached. */
export interface WaysInOptions {
  intercept: string[]
  tunnel: string[]
  caDir: string | undefined
  proxyAuth: string[]
  upstreamProxy: string | undefined
  insecure: string[]
  upstreamCa: string | undefined
  clientCert: string | undefined
  clientKey: string | undefined
}

/** Adds `--intercept`, `--proxy-auth`, `--upstream-proxy` and the like. */
export function withWaysInOptions<T>(yargs: Argv<T>): Argv<T & WaysInOptions> {
  const text = { type: 'string' } as const
  const texts = { type: 'string', array: true, default: [] } as const
  return yargs
    .option('intercept', {
      ...texts,
      describe: 'Hosts whose TLS ends here, such as *.example.com; * for all',
    })
    .option('tunnel', { ...texts, describe: 'Hosts whose TLS always passes through unread' })
    .option('ca-dir', { ...text, describe: 'Where the certificate authority of sim ca lives' })
    .option('proxy-auth', {
      ...texts,
      describe: 'Ask proxy clients for this user:password; *:password for any user',
    })
    .option('upstream-proxy', {
      ...text,
      describe: 'Reach upstreams through this proxy, except those in NO_PROXY',
    })
    .option('insecure', { ...texts, describe: 'Upstream hosts whose certificates are not checked' })
    .option('upstream-ca', { ...text, describe: 'File (PEM) of authorities to trust for upstreams' })
    .option('client-cert', { ...text, describe: 'File (PEM) of the certificate to show to upstreams' })
    .option('client-key', { ...text, describe: 'File (PEM) of its key' }) as unknown as Argv<
    T & WaysInOptions
  >
}

/** What the options say about the ways in. @throws UsageInvalid for values and files that cannot be */
export function waysInOf(options: WaysInOptions): Pick<GatewayOptions, 'tls' | 'proxyAuth' | 'reach'> {
  const { intercept, tunnel, caDir, proxyAuth, upstreamProxy, insecure } = options
  if ((options.clientCert === undefined) !== (options.clientKey === undefined))
    throw new UsageInvalid('--client-cert and --client-key go together')
  asUsage(() => {
    readHostList('--intercept', intercept)
    readHostList('--tunnel', tunnel)
    readHostList('--insecure', insecure)
    createProxyAuth(proxyAuth, '--proxy-auth')
  })
  return {
    tls: { intercept, tunnel, caDirectory: caDir },
    proxyAuth,
    reach: {
      tls: {
        insecure,
        ca: textOf('upstream-ca', options.upstreamCa),
        clientCert: textOf('client-cert', options.clientCert),
        clientKey: textOf('client-key', options.clientKey),
      },
      ...(upstreamProxy !== undefined && { proxy: { url: upstreamProxy, noProxy: noProxy() } }),
    },
  }
}

function noProxy(): string | undefined {
  return process.env['NO_PROXY'] ?? process.env['no_proxy']
}

function textOf(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageInvalid(`--${option}: cannot read ${file}: ${(error as Error).message}`, { cause: error })
  }
}
