import { findChaosProblems } from '../../plugins/chaos/read-rules.ts'
import { CHAOS_SCHEMA } from '../../plugins/chaos/chaos-schema.ts'
import { createProxyAuth } from '../http/credentials.ts'
import { MODE_NAMES } from '../modes/choose-mode.ts'
import { CHECK_LEVELS } from '../pipeline/contract.ts'
import { FLAG, listOf, oneOf, TEXT, TEXTS, textThat, whole, type Option } from '../pipeline/option.ts'
import { ADAPTER_OPTIONS } from './adapter-options.ts'
import { HOST } from './app-options.ts'
import { CLIENTS, REACH, TLS, unchecked, UPSTREAMS } from './connection-options.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { LISTEN } from './listen-option.ts'
import { SERVER, UPSTREAM } from './upstream-option.ts'
import { LOG_OPTIONS } from './log-options.ts'
import { STATE_OPTIONS } from './state-options.ts'
import { RECORD_LIMITS, RECORDING, REDACT_OPTIONS, REPLAY_OPTIONS } from './recording-options.ts'

type Rows<Values> = Readonly<Record<keyof Values, Option>>
type Section<Name extends keyof GatewayConfig> = Rows<NonNullable<GatewayConfig[Name]>>

/** The heading of flags about descriptions that traffic is checked against. */
const CONTRACT = 'Contract'

const VALUES = { values: TEXT }

const MODE: Rows<NonNullable<GatewayConfig['modes']>[number]> = {
  mode: { ...oneOf(MODE_NAMES), describe: 'Who answers.' },
  method: { ...TEXT, describe: 'Only this method.' },
  path: { ...TEXT, schema: { type: 'string', pattern: '^/' }, describe: 'Only paths that fit this glob.' },
  host: { ...HOST, describe: 'Only this host.' },
  headers: { ...VALUES, describe: 'Only requests with these headers; * for any value.' },
}

/** The keys of the `gateway` section of a config file. */
export const GATEWAY_OPTIONS: Rows<GatewayConfig> = {
  routes: {
    ...TEXTS,
    describe: 'Targets whose routes are answered here.',
    group: 'Routes',
    flag: { name: 'routes', isCommon: true },
  },
  adapters: {
    each: ADAPTER_OPTIONS,
    needs: ['use'],
    describe: 'Adapters that answer for vendors what no declared route does.',
  },
  host: { ...TEXT, describe: 'The address to listen on.' },
  port: { ...whole(0, 65_535), describe: 'The port to listen on; 0 picks a free one.' },
  listen: LISTEN,
  upstream: {
    ...SERVER,
    describe: 'Base URL that undeclared requests are forwarded to.',
    group: UPSTREAMS,
    flag: { name: 'upstream', isCommon: true, accept: unchecked },
  },
  upstreams: {
    each: UPSTREAM,
    needs: ['url'],
    describe: 'Further upstreams by host and path; the first that fits is taken.',
  },
  rewriteBodies: {
    ...FLAG,
    see: 'urls.md',
    describe: 'Whether URLs of upstreams become the gateway’s own in the bodies of forwarded answers, too.',
    group: UPSTREAMS,
    flag: {
      name: 'rewrite-bodies',
      describe: 'Put the gateway’s URL in place of the upstream’s in forwarded bodies, too',
    },
  },
  allow: {
    ...listOf(HOST, 'a list of hosts such as api.example.com or *.example.com'),
    see: 'security.md',
    describe: 'Hosts that clients of the proxy may name.',
    group: CLIENTS,
    flag: {
      name: 'allow-host',
      isCommon: true,
      describe: 'Hosts that proxy clients may have requests forwarded to, such as *.example.com',
      accept: unchecked,
    },
  },
  mode: {
    ...oneOf(MODE_NAMES),
    see: 'gateway.md#modes',
    describe: 'Who answers.',
    group: 'Routes',
    flag: { name: 'mode', isCommon: true, describe: 'Who answers; simulate if not given' },
  },
  modes: {
    each: MODE,
    needs: ['mode'],
    describe: 'Other modes for some requests; the first rule that fits holds.',
  },
  check: {
    ...oneOf(CHECK_LEVELS),
    default: 'off',
    see: 'contract.md',
    describe:
      'Whether requests and answers are checked against the description: reported, or refused as well where they are not as it says.',
    group: CONTRACT,
    flag: {
      name: 'check',
      isCommon: true,
      describe: 'Check requests and answers against the description; off if not given',
    },
  },
  checkAgainst: {
    ...TEXT,
    see: 'contract.md#another-description',
    describe: 'The description, or another target, that they are checked against, in place of the routes.',
    group: CONTRACT,
    flag: {
      name: 'check-against',
      describe: 'Description, or another target, to check against in place of the routes',
      requiresArg: true,
    },
  },
  checkBodyLimit: {
    ...whole(),
    see: 'contract.md#large-bodies-and-streams',
    describe:
      'The most bytes of a body that are checked, and held of an answer to be refused. Default: 1048576.',
    group: CONTRACT,
    flag: {
      name: 'check-body-limit',
      describe: 'Most bytes of a body that are checked; 1048576 if not given',
    },
  },
  record: {
    ...TEXT,
    describe: 'Folder to save what is forwarded to.',
    group: RECORDING,
    flag: {
      name: 'record',
      isCommon: true,
      describe: 'Save what is forwarded to this directory, secrets redacted',
    },
  },
  requireRecording: {
    ...FLAG,
    see: 'recordings.md#when-recording-stops',
    describe: 'Whether `/__sim/ready` is 503 when recording has stopped.',
    group: RECORDING,
    flag: { name: 'require-recording', describe: 'Not ready (GET /__sim/ready) while recording has stopped' },
  },
  shadow: {
    table: {
      writes: {
        ...FLAG,
        see: 'contract.md#shadow',
        describe: 'Whether upstreams get requests too that may change something.',
        group: CONTRACT,
        flag: {
          name: 'shadow-writes',
          describe: 'In mode shadow, send requests that may change something, too',
        },
      },
      values: {
        ...listOf(
          textThat((text) => /^(\/([^~]|~[01])*)?$/.test(text), 'a JSON pointer such as /items/*/id', {
            pattern: '^(/([^~]|~[01])*)?$',
          }),
          'a list of JSON pointers such as /items/*/id',
        ),
        describe: 'JSON pointers to values that are to be as simulated; * stands for every item or member.',
        group: CONTRACT,
        flag: {
          name: 'shadow-values',
          describe: 'In mode shadow, JSON pointers to values to compare, such as /items/*/id',
        },
      },
    } satisfies Section<'shadow'>,
    describe: 'What mode shadow sends to upstreams, and compares.',
  },
  recordLimits: { table: RECORD_LIMITS, describe: 'How much a recording may hold.' },
  recording: {
    ...TEXT,
    describe: 'Folder of the recording that is replayed or compared with.',
    group: RECORDING,
    flag: {
      name: 'recording',
      isCommon: true,
      describe: 'The recording that replay, spy, new-episodes and diff read',
    },
  },
  replay: {
    table: REPLAY_OPTIONS,
    describe: 'How requests are found in the recording, and how their answers are given.',
  },
  redact: { table: REDACT_OPTIONS, describe: 'What recordings hide besides what they always do.' },
  maxHeaderBytes: {
    ...whole(0, 1024 * 1024),
    describe: "The most bytes of a request's header.",
    group: CLIENTS,
    flag: { name: 'max-header-bytes', describe: 'Most bytes of a request’s header' },
  },
  proxyAuth: {
    // What is wrong is not repeated, since it may be a password.
    judge: (value) =>
      Array.isArray(value) && value.every((each) => typeof each === 'string' && /^[^:]+:./s.test(each))
        ? []
        : [{ path: [], message: 'must be a list of user:password, or *:password for any user' }],
    schema: TEXTS.schema ?? {},
    secret: true,
    describe: 'Who may use the proxy, as user:password or *:password.',
    group: CLIENTS,
    flag: {
      name: 'proxy-auth',
      describe: 'Ask proxy clients for this user:password; *:password for any user',
      accept: (flag, users: readonly string[]) => createProxyAuth(users, flag),
    },
  },
  tls: { table: TLS, describe: 'Whose TLS ends here, and with which certificate.' },
  reach: { table: REACH, describe: 'How upstreams are reached.' },
  sessions: {
    table: {
      max: { ...whole(), see: 'sessions.md', describe: 'The most sessions.' },
      idleSeconds: { ...whole(), describe: 'A session without requests for so long ends.' },
      journal: { ...whole(), describe: 'How many requests the journal of a session keeps.' },
    } satisfies Section<'sessions'>,
    describe: 'How many clients may have state of their own, and for how long.',
  },
  state: { table: STATE_OPTIONS, describe: 'Where several gateways keep what they share.' },
  control: {
    table: {
      adminToken: {
        ...TEXT,
        see: 'control-plane.md',
        describe: 'Bearer token that opens it, also from elsewhere.',
        secret: true,
        group: 'Serving',
        flag: {
          name: 'admin-token',
          isCommon: true,
          describe: 'Bearer token that opens the control plane, also from elsewhere (or SIM_ADMIN_TOKEN)',
        },
      },
    },
    describe: 'Who may use the control plane.',
  },
  log: { table: LOG_OPTIONS, describe: 'What is said on stderr of requests and of what goes wrong.' },
  chaos: {
    judge: findChaosProblems,
    schema: CHAOS_SCHEMA,
    see: 'chaos.md',
    describe:
      'What goes wrong with requests: waits, errors, broken connections and rate limits, by rules or by a preset.',
  },
}
