import { namingFields } from '../../../engine/login-option.ts'
import { isHidden } from '../../redaction/secrets.ts'
import { isScalar, type Scalar } from '../values.ts'
import { operationOf } from './credentials.ts'
import type { ApiKeys } from './find-keys.ts'
import type { Logins } from './find-logins.ts'

/** Who sent the requests of a recording, as what is proven with it has to know. */
export interface Callers {
  /** Tokens and ids of users, in whose place clients always send those that they are given. */
  readonly given: ReadonlySet<string>
  /** What names the users who sent requests, by the index of these. */
  readonly users: ReadonlyMap<number, Readonly<Record<string, Scalar>>>
  /** The requests that were answered with a token. */
  readonly giving: ReadonlySet<number>
}

/**
 * @param keys API keys, which are given like tokens
 * @param called tokens that answers to calls of a protocol gave, by the index of their requests
 */
export function callersIn(
  logins: Logins | undefined,
  keys: ApiKeys | undefined,
  called: ReadonlyMap<number, readonly string[]>,
): Callers | undefined {
  const given = new Set([...(keys?.values ?? []), ...[...called.values()].flat()])
  const giving = new Set([...makersOf(keys), ...called.keys()])
  if (logins === undefined) return giving.size === 0 ? undefined : { given, users: new Map(), giving }
  const { givenBy, users, by, samples, operations } = logins
  const names = [...new Set(namingFields(by).map(([, field]) => field))]
  const tokens = [...givenBy.values()].flatMap((each) => each.tokens)
  const named = samples.flatMap(({ index, user, caller = '' }) => {
    const fields = names.flatMap((name) => {
      const value = isHidden(caller) && user !== undefined ? caller : user?.[name]
      return isScalar(value) ? [[name, value] as const] : []
    })
    return fields.length === 0 ? [] : [[index, Object.fromEntries(fields)] as const]
  })
  const makes = [...operations.values()].flatMap((each) => each.samples)
  return {
    given: new Set([...tokens, ...users.keys(), ...given]),
    users: new Map(named),
    giving: new Set([...makes.map(({ index }) => index), ...giving]),
  }
}

function makersOf(keys: ApiKeys | undefined): ReadonlySet<number> {
  const made = keys?.samples.filter((sample) => operationOf(sample) === keys.made) ?? []
  return new Set(made.map(({ index }) => index))
}
