import type { Sample } from '../sample.ts'
import { type ApiKeys, findKeys } from './find-keys.ts'
import { findLogins, type Logins } from './find-logins.ts'

/** What a recording shows of who sent its requests. */
export interface WhoSent {
  readonly logins: Logins | undefined
  readonly keys: ApiKeys | undefined
  /** The same with who sent them, and what they were refused as for that. */
  readonly samples: readonly Sample[]
  /** Whether a header has the tokens of users or the keys, so that it names nobody by itself. */
  isCarrier(this: void, header: string): boolean
}

/** Finds the users and the API keys of a recording. */
export function findWhoSent(samples: readonly Sample[]): WhoSent {
  const logins = findLogins(samples)
  const known = logins?.samples ?? samples
  const keys = findKeys(known, new Set(logins?.operations.keys()))
  return {
    ...{ logins, keys, samples: keys?.samples ?? known },
    isCarrier: (header) =>
      header === keys?.header || (logins !== undefined && header === (logins.carrier.header ?? 'cookie')),
  }
}
