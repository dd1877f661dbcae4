import { createTextGlob } from '../../routing/glob.ts'
import { readPointerGlob, type PointerGlob } from './pointer-glob.ts'
import { createSettle, type WithSettled } from './volatile.ts'

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
