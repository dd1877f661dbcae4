import { createTextGlob } from '../../routing/glob.ts'
import { headerValues, type NameValue } from '../exchange.ts'
import { compareTexts } from '../../grouping.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'
import { unsigned } from './signed-urls.ts'
import { createSettle, type PointerGlob, readPointerGlob, type WithSettled } from './ignored.ts'

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

/** The head of a request, without what the rules ignore. */
export function headOf(
  { method, host, url, headers }: RequestParts,
  redactor: Redactor,
  rules: MatchRules,
): RequestHead {
  const [path = '', ...search] = withoutPseudonyms(redactor.url(url)).split('?')
  const pairs = unsigned([...new URLSearchParams(search.join('?'))])
  const values = rules.headers.map((name) => [name, valueOf(headers, name, redactor)] as const)
  const letters = values.reduce((sum, [, value]) => sum + value.length, url.length)
  return rules.withSettled(letters, (settle) => {
    const query = pairs
      .filter(([name]) => !rules.isIgnoredParameter(name))
      .map(([name, value]) => [name, settle(value)] as const)
      .toSorted((a, b) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]))
    return {
      method,
      host: rules.ignoresHost ? undefined : host,
      path: settle(path),
      query,
      headers: values.map(([name, value]) => [name, settle(value)] as const),
    }
  })
}

// Here pseudonyms stay: who has a secret header compared wants users kept apart.
function valueOf(headers: readonly NameValue[], name: string, redactor: Redactor): string {
  const values = headerValues(headers, name)
  return values.map((value) => redactor.header({ name, value }).value).join(', ')
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
  /** Whether ids of calls of JSON-RPC do not count, which a client draws as it likes. */
  readonly ignoresCallIds: boolean
  readonly withSettled: WithSettled
  isIgnoredParameter(this: void, name: string): boolean
}

/**
 * Rules of options that were checked.
 * @param ignoresCallIds for answers that get the id of the call that they are given to
 */
export function compileMatch(options: MatchOptions = {}, ignoresCallIds = false): MatchRules {
  const { matchHeaders = [], ignoreHost = false, ignoreQuery = [] } = options
  const pointers = (options.ignoreBody ?? []).map(readPointerGlob).filter((parts) => parts !== undefined)
  const parameters = ignoreQuery.map(createTextGlob)
  return {
    headers: matchHeaders.map((name) => name.toLowerCase()).toSorted(),
    ignoresHost: ignoreHost,
    ignoresBody: pointers.some((parts) => parts.length === 0),
    pointers,
    ignoresCallIds,
    withSettled: createSettle(options.ignorePatterns ?? []),
    isIgnoredParameter: (name) => parameters.some((fits) => fits(name)),
  }
}
