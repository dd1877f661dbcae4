import { FLAG, listOf, number, TEXT, TEXTS, textThat, type Option } from '../pipeline/option.ts'
import { isHostPattern, readHostList } from '../routing/host.ts'
import type { ReachConfig, TlsConfig } from './gateway-config.ts'

type Rows<Values> = Readonly<Record<keyof Values, Option>>

const ANY_HOSTS = listOf(
  textThat((text) => text === '*' || isHostPattern(text), 'a host or *'),
  'a list of hosts such as api.example.com, *.example.com or *',
)

/** The gateway says what is wrong with it. */
export const unchecked = (): undefined => undefined

/** The heading of what is for clients of the proxy. */
export const CLIENTS = 'Proxy clients'

/** The certificate of the gateway itself. */
export const OWN_CERTIFICATE: Rows<Pick<TlsConfig, 'cert' | 'key'>> = {
  cert: {
    ...TEXT,
    see: 'proxy.md#tls-with-the-gateway-itself',
    describe: 'File (PEM) of the certificate of the gateway itself; one of its authority if not given.',
    group: 'Serving',
    flag: {
      name: 'tls-cert',
      describe: 'File (PEM) of the certificate for https:// on the same port; one of sim ca if not given',
    },
  },
  key: {
    ...TEXT,
    describe: 'File (PEM) of its key.',
    group: 'Serving',
    flag: { name: 'tls-key' },
  },
}

/** The table `gateway.tls`. */
export const TLS: Rows<TlsConfig> = {
  ...OWN_CERTIFICATE,
  intercept: {
    ...ANY_HOSTS,
    see: 'proxy.md#what-is-read-and-what-is-not',
    describe: 'Hosts whose TLS ends here; * for all.',
    group: CLIENTS,
    flag: {
      name: 'intercept',
      describe: 'Hosts whose TLS ends here, such as *.example.com; * for all',
      accept: readHostList,
    },
  },
  tunnel: {
    ...ANY_HOSTS,
    describe: 'Hosts whose TLS always passes through unread.',
    group: CLIENTS,
    flag: { name: 'tunnel', accept: readHostList },
  },
  caDirectory: {
    ...TEXT,
    describe: 'Where the certificate authority lives.',
    group: CLIENTS,
    flag: { name: 'ca-dir', describe: 'Where the certificate authority of sim ca lives' },
  },
}

// Longer than a timer of Node can be set is over at once.
const MILLISECONDS = number(0, 2 ** 31 - 1, 'a number of milliseconds, 0 or more')

const PROXY = /^(https?|socks5h?):\/\//
/** The heading of what is about upstreams. */
export const UPSTREAMS = 'Upstreams'
/** The table `gateway.reach`. */
export const REACH: Rows<ReachConfig> = {
  offline: {
    ...FLAG,
    describe: 'Whether nothing beyond this machine is reached: no address but loopback, and no DNS.',
    group: UPSTREAMS,
    see: 'gateway.md#offline',
    flag: { name: 'offline', describe: 'Reach nothing beyond this machine: only loopback, and no DNS' },
  },
  connectTimeoutMs: {
    ...number(1, 2 ** 31 - 1, 'a number of milliseconds, 1 or more'),
    describe:
      'How long it may take until a connection is there, with TLS and through the proxy. Default: 10000.',
    group: UPSTREAMS,
    flag: {
      name: 'connect-timeout-ms',
      describe: 'How long a connection to an upstream may take; 10000 if not given',
    },
  },
  headersTimeoutMs: {
    ...MILLISECONDS,
    describe: 'How long an upstream may take to begin its answer; 0 for no limit. Default: 60000.',
    group: UPSTREAMS,
    see: 'proxy.md#how-upstreams-are-reached',
    flag: {
      name: 'headers-timeout-ms',
      describe: 'How long an upstream may take to begin its answer; 60000 if not given, 0 for no limit',
    },
  },
  bodyTimeoutMs: {
    ...MILLISECONDS,
    describe: 'How long an upstream may pause within an answer; 0, the default, for no limit.',
    group: UPSTREAMS,
    flag: {
      name: 'body-timeout-ms',
      describe: 'How long an upstream may pause within an answer; no limit if not given',
    },
  },
  proxy: {
    ...textThat(
      (text) => PROXY.test(text) && URL.canParse(text),
      'a URL such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080',
      { pattern: PROXY.source },
    ),
    describe: 'URL of a proxy to reach them through: http, https or socks5.',
    group: UPSTREAMS,
    flag: {
      name: 'upstream-proxy',
      describe: 'Reach upstreams through this proxy (http, https, socks5), except those in NO_PROXY',
      accept: unchecked,
    },
  },
  noProxy: { ...TEXT, describe: 'Hosts, between commas, that are reached without it.' },
  insecure: {
    ...TEXTS,
    describe: 'Hosts whose certificates are not checked.',
    group: UPSTREAMS,
    flag: {
      name: 'insecure',
      describe: 'Upstream hosts whose certificates are not checked',
      accept: readHostList,
    },
  },
  ca: {
    ...TEXT,
    describe: 'File (PEM) of authorities to trust.',
    group: UPSTREAMS,
    flag: { name: 'upstream-ca', describe: 'File (PEM) of authorities to trust for upstreams' },
  },
  clientCert: {
    ...TEXT,
    describe: 'File (PEM) of the certificate to show.',
    group: UPSTREAMS,
    flag: { name: 'client-cert', describe: 'File (PEM) of the certificate to show to upstreams' },
  },
  clientKey: {
    ...TEXT,
    describe: 'File (PEM) of its key.',
    group: UPSTREAMS,
    flag: { name: 'client-key' },
  },
}
