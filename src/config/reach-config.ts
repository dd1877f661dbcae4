import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { UpstreamOptions } from '../upstream/upstream.ts'
import { ConfigInvalid } from '../errors.ts'
import { text, texts, type Check } from './checks.ts'
import type { Specs } from './read-table.ts'

/** The table `gateway.reach` of a config file: how upstreams are reached. */
export interface ReachConfig {
  readonly proxy?: string
  readonly noProxy?: string
  readonly insecure?: readonly string[]
  /** Files (PEM), relative to the config file. */
  readonly ca?: string
  readonly clientCert?: string
  readonly clientKey?: string
}

const proxyUrl: Check = (value) =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
    ? undefined
    : 'a URL such as http://proxy.example.com:3128'

/** The keys of the table. */
export const REACH_SPECS: Specs = {
  proxy: proxyUrl,
  noProxy: text,
  insecure: texts,
  ca: text,
  clientCert: text,
  clientKey: text,
}

/** How upstreams are reached, with the files read that the table names. @throws ConfigInvalid when one cannot be read */
export function toReach(reach: ReachConfig | undefined, file: string): UpstreamOptions | undefined {
  if (reach === undefined) return undefined
  const { proxy, noProxy, insecure, ca, clientCert, clientKey } = reach
  const pem = (key: string, path: string | undefined): string | undefined =>
    path === undefined ? undefined : readBeside(file, key, path)
  return {
    ...(proxy !== undefined && { proxy: { url: proxy, noProxy } }),
    tls: {
      insecure,
      ca: pem('ca', ca),
      clientCert: pem('client_cert', clientCert),
      clientKey: pem('client_key', clientKey),
    },
  }
}

function readBeside(file: string, key: string, path: string): string {
  try {
    return readFileSync(resolve(dirname(file), path), 'utf8')
  } catch (error) {
    throw new ConfigInvalid(
      [`${file}: gateway.reach.${key}: cannot read ${path}: ${(error as Error).message}`],
      {
        cause: error,
      },
    )
  }
}
