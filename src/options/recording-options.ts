import { FLAG, listOf, oneOf, TEXT, TEXTS, whole, type Option } from '../pipeline/option.ts'
import { createRedactor } from '../recording/redaction/redactor.ts'
import { AFTER_LAST, PICKS, REPLAY_CHECKS, TIMINGS } from '../recording/replay/replay-options.ts'
import type { GatewayConfig } from './gateway-config.ts'

type Section<Name extends 'recordLimits' | 'redact' | 'replay'> = Readonly<
  Record<keyof NonNullable<GatewayConfig[Name]>, Option>
>

/** The heading of flags about recordings. */
export const RECORDING = 'Recording'

/** How much a recording may hold. */
export const RECORD_LIMITS: Section<'recordLimits'> = {
  maxExchanges: {
    ...whole(1),
    see: 'recordings.md#bounds',
    describe: 'The most exchanges of a recording; the oldest go first.',
    group: RECORDING,
    flag: { name: 'record-max-exchanges', describe: 'Most exchanges of a recording; the oldest go first' },
  },
  maxMegabytes: {
    ...whole(1),
    see: 'recordings.md#bounds',
    describe: 'The most megabytes of a recording, bodies included; the oldest exchanges go first.',
    group: RECORDING,
    flag: {
      name: 'record-max-megabytes',
      describe: 'Most megabytes of a recording, bodies included; the oldest exchanges go first',
    },
  },
  maxBodyMegabytes: {
    ...whole(1),
    see: 'recordings.md#bounds',
    describe:
      'The most megabytes that are kept of a body; of a longer one, how it begins, its size and its SHA-256. Default: 8.',
    group: RECORDING,
    flag: { name: 'record-max-body', describe: 'Most megabytes that are kept of a body; 8 if not given' },
  },
  dedupe: {
    ...FLAG,
    describe: 'Leave out exchanges that repeat the one before of the same request.',
    group: RECORDING,
    flag: { name: 'record-dedupe' },
  },
}

const PATTERNS = listOf(
  { ...TEXT, check: (value) => (isPattern(value) ? undefined : 'a regular expression') },
  'a list of regular expressions, none of which fits an empty text',
)

/** What recordings hide. */
export const REDACT_OPTIONS: Section<'redact'> = {
  names: {
    ...TEXTS,
    see: 'redaction.md',
    describe: 'Names of headers, cookies, fields and parameters to hide too; * stands for any characters.',
    group: RECORDING,
    flag: {
      name: 'redact',
      describe: 'Names of headers, cookies, fields and parameters to hide too, such as x-internal-*',
    },
  },
  except: {
    ...TEXTS,
    describe: 'Names not to hide.',
    group: RECORDING,
    flag: { name: 'redact-except' },
  },
  patterns: {
    ...PATTERNS,
    describe: 'Regular expressions of secrets to hide wherever they are.',
    group: RECORDING,
    flag: {
      name: 'redact-pattern',
      accept: (_flag, patterns: readonly string[]) => createRedactor({ patterns }),
    },
  },
}

const REPLAY = 'Replay'

/** How requests are found in a recording, and how their answers are given. */
export const REPLAY_OPTIONS: Section<'replay'> = {
  matchHeaders: {
    check: REPLAY_CHECKS.matchHeaders,
    schema: { type: 'array', items: { type: 'string', pattern: "^[\\w!#$%&'*+.^`|~-]+$" } },
    see: 'replay.md#what-counts',
    describe: 'Headers that must be as recorded. None is compared by default.',
    group: REPLAY,
    flag: { name: 'match-header', describe: 'Headers that must be as recorded' },
  },
  ignoreHost: {
    ...FLAG,
    describe: 'Replay what was recorded of any host.',
    group: REPLAY,
    flag: { name: 'ignore-host' },
  },
  ignoreQuery: {
    ...TEXTS,
    check: REPLAY_CHECKS.ignoreQuery,
    describe: 'Query parameters that need not be as recorded: names or globs such as utm_*.',
    group: REPLAY,
    flag: {
      name: 'ignore-query',
      describe: 'Query parameters that need not be as recorded, such as page or utm_*',
    },
  },
  ignoreBody: {
    check: REPLAY_CHECKS.ignoreBody,
    schema: { type: 'array', items: { type: 'string', pattern: '^(/([^~]|~[01])*)?$' } },
    describe:
      'JSON pointers to what in bodies and forms need not be as recorded; * stands for every item or member.',
    group: REPLAY,
    flag: {
      name: 'ignore-body',
      describe: 'JSON pointers to what in bodies and forms need not be as recorded, such as /items/*/id',
    },
  },
  ignorePatterns: {
    ...TEXTS,
    check: REPLAY_CHECKS.ignorePatterns,
    describe: 'Regular expressions for what differs from run to run, in path, query and bodies.',
    group: REPLAY,
    flag: { name: 'ignore-pattern' },
  },
  pick: {
    ...oneOf(PICKS),
    default: 'causal',
    see: 'replay.md#which-answer',
    describe:
      'Which of several recorded answers to a request comes: the next of those recorded after the writes that the session has made, the next of all, always the first, or always the last.',
    group: REPLAY,
    flag: {
      name: 'replay-pick',
      describe: 'Which of several recorded answers comes: causal if not given',
    },
  },
  after: {
    ...oneOf(AFTER_LAST),
    default: 'hold',
    describe: 'What comes after the last recorded answer of a request: it again, the first again, or none.',
    group: REPLAY,
    flag: { name: 'replay-after', describe: 'After the last recorded answer; hold if not given' },
  },
  timing: {
    ...oneOf(TIMINGS),
    default: 'streams',
    describe: 'What comes at its recorded times: event streams and WebSockets, everything, or nothing.',
    group: REPLAY,
    flag: {
      name: 'replay-timing',
      describe: 'What is replayed at its recorded times; streams if not given',
    },
  },
  speed: {
    check: REPLAY_CHECKS.speed,
    schema: { type: 'number', exclusiveMinimum: 0 },
    default: 1,
    describe: 'How many times faster than recorded.',
    group: REPLAY,
    flag: { name: 'replay-speed' },
  },
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && createRedactor({ patterns: [value] }) !== undefined
  } catch {
    return false
  }
}
