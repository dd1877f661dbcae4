import { HOST_FORM, isHostPattern } from '../routing/host.ts'
import { OptionInvalid } from '../errors.ts'
import { count, flag, text, texts, type Check } from './checks.ts'

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
  /** Answer CORS preflight requests: from any origin, or from the listed ones. */
  readonly cors?: boolean | readonly string[] | undefined
  /** Title of the OpenAPI document. */
  readonly title?: string | undefined
  /** Version of the API in the OpenAPI document. */
  readonly version?: string | undefined
  /** Base URLs in the OpenAPI document. */
  readonly servers?: readonly string[] | undefined
  /** A config file whose values are defaults for these. */
  readonly configPath?: string | undefined
}

/** Bounds of the store. */
export interface StoreOptions {
  /** The most items a collection may hold. Default: a million. */
  readonly maxItems?: number | undefined
}

/** What the store's options look like, for messages. */
export const STORE_FORM = 'an object such as { maxItems: 1000 }'

/** What each option of the store must be. */
export const STORE_CHECKS: Readonly<Record<keyof StoreOptions, Check>> = { maxItems: count }

/** What each option must be. */
export const OPTION_CHECKS: Readonly<Record<keyof SimOptions, Check>> = {
  seed: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  stateful: flag,
  dynamic: flag,
  validateResponses: flag,
  validateLinks: flag,
  verboseErrors: flag,
  listCount: count,
  store: checkStore,
  cors: (value) =>
    typeof value === 'boolean' ? undefined : texts(value) && 'true, false or a list of origins',
  title: text,
  version: text,
  servers: texts,
  host: (value) => (isHostPattern(value) ? undefined : HOST_FORM),
  configPath: text,
}

function checkStore(value: unknown): string | undefined {
  const isBounds = value !== null && typeof value === 'object' && !Array.isArray(value)
  const fits =
    isBounds &&
    Object.entries(value).every(([name, bound]) => {
      if (!Object.hasOwn(STORE_CHECKS, name)) return false
      return bound === undefined || STORE_CHECKS[name as keyof StoreOptions](bound) === undefined
    })
  return fits ? undefined : STORE_FORM
}

/** @throws OptionInvalid when an option is not known or has a value it cannot have */
export function checkSimOptions(options: SimOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTION_CHECKS, name)) {
      throw new OptionInvalid(
        `SimAPI has no option '${name}'. Options: ${Object.keys(OPTION_CHECKS).join(', ')}`,
      )
    }
    const wanted = value === undefined ? undefined : OPTION_CHECKS[name as keyof SimOptions](value)
    if (wanted !== undefined)
      throw new OptionInvalid(`SimAPI: ${name} must be ${wanted}, not ${JSON.stringify(value)}`)
  }
}
