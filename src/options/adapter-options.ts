import { isTable } from '../data-files/data-file.ts'
import { FLAG, INTEGER, number, oneOf, TEXT, TEXTS, textThat, type Option } from '../pipeline/option.ts'
import { HOST } from './app-options.ts'

/** One entry of `gateway.adapters` in a config file: an adapter, what it answers, and its configuration. */
export interface AdapterMountConfig {
  /** A package, or a module relative to the config file, that exports `adapter`. */
  readonly use: string
  readonly host?: string
  readonly prefix?: string
  /** Relative to the config file. */
  readonly fixture?: string
  readonly seed?: number
  /** What the adapter has of its own, by the names it has in code. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly auth?: 'disabled' | 'optional' | 'strict'
  readonly tokens?: readonly TokenConfig[]
  readonly stateful?: boolean
  readonly strict?: boolean
  readonly consistency?: 'reject' | 'continue'
  readonly clock?: 'still' | 'running'
  readonly startAt?: string
  readonly isolate?: 'token'
  readonly faults?: readonly Readonly<Record<string, unknown>>[]
  readonly rateLimit?: readonly AdapterLimit[]
}

interface TokenConfig {
  readonly token: string
  readonly user?: string
  readonly scopes?: readonly string[]
  readonly grants?: readonly string[]
}

interface AdapterLimit {
  readonly requests: number
  readonly windowSeconds: number
  readonly operation?: string
}

/** A text that begins with a slash. */
export const PATH = textThat((text) => text.startsWith('/'), "a text that starts with '/'", {
  pattern: '^/',
})

const AMOUNT = number(0, Infinity, 'a number of 0 or more')
const COUNT = { ...INTEGER, schema: { type: 'integer', minimum: 0 } }

const TOKEN: Readonly<Record<keyof TokenConfig, Option>> = {
  token: { ...TEXT, describe: 'The bearer token.' },
  user: { ...TEXT, describe: 'Whose it is.' },
  scopes: { ...TEXTS, describe: 'Without them, all.' },
  grants: { ...TEXTS, describe: 'Globs over resources; without them, all.' },
}

const LIMIT: Readonly<Record<keyof AdapterLimit, Option>> = {
  requests: { ...COUNT, describe: 'The most requests in the window.' },
  windowSeconds: {
    ...AMOUNT,
    schema: { type: 'number', exclusiveMinimum: 0 },
    describe: 'How long the window is.',
  },
  operation: { ...TEXT, describe: 'Only this operation, by its id, or a glob of ids.' },
}

/** The keys of an entry. */
export const ADAPTER_OPTIONS: Readonly<Record<keyof AdapterMountConfig, Option>> = {
  use: {
    ...TEXT,
    schema: { type: 'string', minLength: 1 },
    see: 'writing-an-adapter.md',
    describe: 'A package, or a module relative to this file, that exports an adapter.',
  },
  host: { ...HOST, describe: 'Only requests for this host, or for all below a name: *.example.com.' },
  prefix: { ...PATH, describe: 'Only requests whose path begins so; the adapter does not see it.' },
  fixture: { ...TEXT, describe: "The fixture's file, relative to this file." },
  seed: { ...INTEGER, describe: 'What ids and chance are made of.' },
  options: {
    judge: (value) => (isTable(value) ? [] : [{ path: [], message: 'must be keys with values' }]),
    schema: { type: 'object' },
    describe: 'What the adapter has of its own, as in code.',
  },
  auth: {
    ...oneOf(['disabled', 'optional', 'strict']),
    describe: 'Whether bearer tokens are ignored, may be any, or must be declared.',
  },
  tokens: { each: TOKEN, needs: ['token'], describe: 'The tokens of strict mode.' },
  stateful: { ...FLAG, describe: 'Keep what is written.' },
  strict: {
    ...FLAG,
    describe: 'Answer 501 for what is not implemented, refuse unknown fields of fixtures.',
  },
  consistency: {
    ...oneOf(['reject', 'continue']),
    describe: 'What becomes of page tokens when what they page through has changed.',
  },
  clock: {
    ...oneOf(['still', 'running']),
    describe: 'Whether time stands until it is moved, or goes on.',
  },
  startAt: { ...TEXT, describe: 'When the clock begins.' },
  isolate: { ...oneOf(['token']), describe: 'Give each bearer token a state of its own.' },
  faults: {
    each: {
      operation: { ...TEXT, describe: "An operation's id, or a glob of ids." },
      status: {
        ...INTEGER,
        schema: { type: 'integer', minimum: 400, maximum: 599 },
        describe: 'The status of the failure.',
      },
      code: { ...TEXT, describe: "The vendor's code of the failure." },
      retryAfterSeconds: { ...AMOUNT, describe: 'What the failure says of when to try again.' },
      latencyMs: { ...AMOUNT, describe: 'How long the answer waits.' },
      jitterMs: { ...AMOUNT, describe: 'The wait varies by up to this much, both ways.' },
      rate: {
        ...AMOUNT,
        schema: { type: 'number', minimum: 0, maximum: 1 },
        describe: 'The share of requests that fail.',
      },
      skip: { ...COUNT, describe: 'How many requests pass before the first that fails.' },
      times: { ...COUNT, describe: 'How often it happens.' },
      when: {
        ...oneOf(['before', 'after']),
        describe: 'Whether it fails before or after the state changes.',
      },
    },
    describe: 'What goes wrong with requests.',
  },
  rateLimit: {
    each: LIMIT,
    needs: ['requests', 'windowSeconds'],
    describe: 'How many requests are admitted in a window of time.',
  },
}
