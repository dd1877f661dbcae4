import { OptionInvalid } from '../errors.ts'
import { POLICY_OPTIONS } from '../../plugins/index.ts'
import type { PolicyOptions } from '../engine/route-options.ts'
import { FLAG, INTEGER, listOf, TEXT, TEXTS, textThat, url, whole, type Option } from '../pipeline/option.ts'
import { HOST_FORM, isHostPattern } from '../routing/host.ts'
import { findValueProblem } from './check.ts'

/** Defaults of an app. */
export interface SimOptions {
  /** The host of all routes that do not name one, such as `api.example.com` or `*.example.com`. */
  readonly host?: string | undefined
  /** Makes content and chaos repeatable. Without one, a seed is drawn. */
  readonly seed?: number | undefined
  /** Keep what is created in memory, and read, change and delete it by id. */
  readonly stateful?: boolean | undefined
  /** Generate answers that an API description gives examples of. Requests may ask for it with `Prefer: dynamic=true`. */
  readonly dynamic?: boolean | undefined
  /** Check each answer against its output model before it is stored or sent. */
  readonly validateResponses?: boolean | undefined
  /** Refuse to build an app whose links name fields that are not there. */
  readonly validateLinks?: boolean | undefined
  /** Say in a stateful 404 which collection, id field and id were meant. */
  readonly verboseErrors?: boolean | undefined
  /** Items in a list whose route does not say. Default: 5. */
  readonly listCount?: number | undefined
  readonly store?: StoreOptions | undefined
  /** Whose pages may read simulated answers: of any origin, of the listed ones, or of none. Default: of any. */
  readonly cors?: boolean | readonly string[] | undefined
  /** Title of the OpenAPI document. */
  readonly title?: string | undefined
  /** Version of the API in the OpenAPI document. */
  readonly version?: string | undefined
  /** Base URLs in the OpenAPI document. */
  readonly servers?: readonly string[] | undefined
  /** Base URLs of the server that the routes stand for: in answers, they become the gateway's own. */
  readonly serverUrls?: readonly string[] | undefined
  /** What the heads of requests must have where a route does not say otherwise. */
  readonly requires?: PolicyOptions['requires']
  /** What is answered in place of errors of the gateway's own where a route does not say otherwise, by their codes. */
  readonly errorAnswers?: PolicyOptions['errorAnswers']
  /** A config file whose values are defaults for these. */
  readonly configPath?: string | undefined
}

/** Bounds of the store. */
interface StoreOptions {
  /** The most items a collection may hold. Default: a million. */
  readonly maxItems?: number | undefined
}

/** A host, or all hosts below a name. */
export const HOST = textThat(isHostPattern, HOST_FORM, { minLength: 1 })

const ORIGINS = listOf(TEXT, 'true, false or a list of origins')

const STORE: Readonly<Record<keyof StoreOptions, Option>> = {
  maxItems: { ...whole(), describe: 'The most items a collection may hold. Default: a million.' },
}

/** The options of an app. */
export const APP_OPTIONS: Readonly<Record<keyof SimOptions, Option>> = {
  seed: {
    ...INTEGER,
    see: 'determinism.md',
    describe: 'Makes content and chaos repeatable. Without one, a seed is drawn.',
  },
  stateful: {
    ...FLAG,
    see: 'stateful.md',
    describe: 'Keep what is created in memory, and read, change and delete it by id.',
    group: 'Routes',
    flag: {
      name: 'stateful',
      isCommon: true,
      describe: 'Keep what is created, and read, change and delete it by id',
    },
  },
  dynamic: {
    ...FLAG,
    describe: 'Generate answers that an API description gives examples of.',
    group: 'Routes',
    flag: { name: 'dynamic', describe: 'Generate answers that a description gives examples of' },
  },
  validateResponses: {
    ...FLAG,
    describe: 'Check each answer against its output model before it is stored or sent.',
  },
  validateLinks: {
    ...FLAG,
    describe: 'Refuse to build an app whose links name fields that are not there.',
  },
  verboseErrors: {
    ...FLAG,
    describe: 'Say in a stateful 404 which collection, id field and id were meant.',
  },
  listCount: { ...whole(), describe: 'Items in a list whose route does not say. Default: 5.' },
  store: { table: STORE, wanted: 'an object such as { maxItems: 1000 }', describe: 'Bounds of the store.' },
  cors: {
    check: (value) => (typeof value === 'boolean' ? undefined : ORIGINS.check(value)),
    schema: { anyOf: [FLAG.schema, ORIGINS.schema] },
    see: 'options.md#cors',
    describe:
      'Let pages of any origin read simulated answers, of the listed ones alone, or of none. Default: any.',
    group: 'Routes',
    flag: {
      name: 'cors',
      form: FLAG,
      describe: 'Let pages of other origins read simulated answers; --no-cors for none',
      otherwise: 'true',
    },
  },
  title: { ...TEXT, describe: 'Title of the OpenAPI document.' },
  version: { ...TEXT, describe: 'Version of the API in the OpenAPI document.' },
  servers: { ...TEXTS, describe: 'Base URLs in the OpenAPI document.' },
  host: {
    ...HOST,
    see: 'gateway.md#routes-by-host',
    describe: 'The host of all routes that do not name one, such as api.example.com or *.example.com.',
  },
  serverUrls: {
    ...listOf(url('https://api.example.com'), 'a list of URLs such as https://api.example.com'),
    see: 'urls.md',
    describe: 'Base URLs of the server that the routes stand for: in answers, they become the gateway’s own.',
  },
  requires: POLICY_OPTIONS.requires,
  errorAnswers: POLICY_OPTIONS.errorAnswers,
  configPath: {
    ...TEXT,
    see: 'cli.md#config-files',
    describe: 'A config file whose values are defaults for these.',
  },
}

/** @throws OptionInvalid when an option is not known or has a value it cannot have */
export function checkSimOptions(options: SimOptions): void {
  const problem = findValueProblem(options, APP_OPTIONS)
  if (problem === undefined) return
  throw new OptionInvalid(
    problem.unknown === undefined
      ? `SimAPI: ${problem.message}`
      : `SimAPI has no option '${problem.unknown}'. Options: ${Object.keys(APP_OPTIONS).join(', ')}`,
  )
}
