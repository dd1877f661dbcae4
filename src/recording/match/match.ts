import type { Exchange, NameValue } from '../exchange.ts'
import { createSettle, type PointerGlob, readPointerGlob, type WithSettled } from './ignored.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'
import { createTextGlob } from '../../routing/glob.ts'

/** What of a request's head distinguishes it from others; secrets are hidden, as in recordings. */
export interface RequestHead {
  readonly method: string
  /** Host and port; absent where any will do. */
  readonly host: string | undefined
  readonly path: string
  /** Names and values of the query, sorted: their order means nothing. */
  readonly query: readonly (readonly [string, string])[]
  /** The headers that are compared, sorted. */
  readonly headers: readonly (readonly [string, string])[]
}

/** A request as it comes, or as it was recorded. */
interface RequestParts {
  readonly method: string
  readonly host: string | undefined
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
}

/** Rules that ignore nothing. */
export const PLAIN_RULES: MatchRules = compileMatch()

/** The head of a request, without what the rules ignore. */
export function headOf(
  request: RequestParts,
  redactor: Redactor,
  rules: MatchRules = PLAIN_RULES,
): RequestHead {
  const { method, host, url, headers } = request
  const [path = '', ...search] = withoutPseudonyms(redactor.url(url)).split('?')
  const pairs = [...new URLSearchParams(search.join('?'))]
  const letters = rules.headers.reduce(
    (sum, name) => sum + valueOf(headers, name, redactor).length,
    url.length,
  )
  return rules.withSettled(letters, (settle) => {
    const query = pairs
      .filter(([name]) => !rules.isIgnoredParameter(name))
      .map(([name, value]) => [name, settle(value)] as const)
      .toSorted((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    const compared = rules.headers.map((name) => [name, settle(valueOf(headers, name, redactor))] as const)
    return {
      method,
      host: rules.ignoresHost ? undefined : host,
      path: settle(path),
      query,
      headers: compared,
    }
  })
}

/** The head of a recorded request. */
export function recordedHead(
  { request }: Exchange,
  redactor: Redactor,
  rules: MatchRules = PLAIN_RULES,
): RequestHead {
  const { host, pathname, search } = new URL(request.url)
  return headOf(
    { method: request.method, host, url: `${pathname}${search}`, headers: request.headers },
    redactor,
    rules,
  )
}

// Here pseudonyms stay: who has a secret header compared wants users kept apart.
function valueOf(headers: readonly NameValue[], name: string, redactor: Redactor): string {
  const found = headers.filter((header) => header.name.toLowerCase() === name)
  return found.map((header) => redactor.header(header).value).join(', ')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What of a request counts when it is compared with recorded ones. By default all but its headers does. */
export interface MatchOptions {
  /** Headers that must be as recorded, too. */
  readonly matchHeaders?: readonly string[] | undefined
  /** Any host will do. */
  readonly ignoreHost?: boolean | undefined
  /** Parameters of the query that do not count; by name, or a glob such as `utm_*`. */
  readonly ignoreQuery?: readonly string[] | undefined
  /** What in JSON bodies and forms does not count: JSON pointers, with `*` for every item or member. `''` is all of it. */
  readonly ignoreBody?: readonly string[] | undefined
  /** Regular expressions for what differs from run to run, in path, query, matched headers and bodies. */
  readonly ignorePatterns?: readonly string[] | undefined
}

/** Match options, ready to be applied. */
export interface MatchRules {
  /** In lower case. */
  readonly headers: readonly string[]
  readonly ignoresHost: boolean
  readonly ignoresBody: boolean
  readonly pointers: readonly PointerGlob[]
  readonly withSettled: WithSettled
  isIgnoredParameter(this: void, name: string): boolean
}

/** Rules of options that were checked. */
export function compileMatch(options: MatchOptions = {}): MatchRules {
  const { matchHeaders = [], ignoreHost = false, ignoreQuery = [] } = options
  const pointers = (options.ignoreBody ?? []).map(readPointerGlob).filter((parts) => parts !== undefined)
  const parameters = ignoreQuery.map(createTextGlob)
  return {
    headers: matchHeaders.map((name) => name.toLowerCase()).toSorted(),
    ignoresHost: ignoreHost,
    ignoresBody: pointers.some((parts) => parts.length === 0),
    pointers,
    withSettled: createSettle(options.ignorePatterns ?? []),
    isIgnoredParameter: (name) => parameters.some((fits) => fits(name)),
  }
}
