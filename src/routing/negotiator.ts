import { createRequire } from 'node:module'
import type Negotiator from 'negotiator'
import { lazy } from '../engine/lazy.ts'

const library = lazy(() => createRequire(import.meta.url)('negotiator') as typeof Negotiator)

/** What a request's `Accept` headers ask for (RFC 9110, section 12.5). @param headers by lower-case name */
export function negotiatorOf(headers: Readonly<Record<string, string>>): Negotiator {
  return new (library())({ headers })
}
