import { lastWord } from '../../../collections/logins/accounts.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { readCookies, readSetCookie } from '../../files/har.ts'
import { grantIn } from '../../protocols/oauth.ts'
import { isAgainstForgery } from '../callers.ts'
import type { Item } from '../item-place.ts'
import { pathOf, type Sample } from '../sample.ts'

/** Where requests have a token: a header, or a cookie. */
export interface Carrier {
  readonly header?: string
  readonly cookie?: string
}

/** A token that a request has. */
export interface Credential {
  readonly carrier: Carrier
  readonly token: string
}

const HEADERS = /^(authorization|(x-)?([a-z]+-)*(token|session|auth|api-?key)(-[a-z]+)*)$/
const NO_TOKEN = /^(basic|digest|negotiate|aws4-hmac-sha256)\b/i

/** The tokens that a request may have. */
export function credentialsIn({ headers }: Sample): readonly Credential[] {
  const inHeaders = Object.entries(headers).flatMap(([header, value]): readonly Credential[] => {
    const isToken = HEADERS.test(header) && !isAgainstForgery(header)
    const token = isToken && !NO_TOKEN.test(value) ? lastWord(value) : undefined
    return token === undefined ? [] : [{ carrier: { header }, token }]
  })
  const cookies = readCookies(headers['cookie'] ?? '').flatMap(({ name, value }): readonly Credential[] =>
    value === '' || isAgainstForgery(name) ? [] : [{ carrier: { cookie: name }, token: value }],
  )
  return [...inHeaders, ...cookies]
}

/** Texts of an answer by the names that lead to them. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: string | number
}

/** The texts and numbers of an object, not those within lists. */
export function leavesIn(value: unknown, above: readonly string[] = []): readonly Leaf[] {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number')
    return [{ path: above, value }]
  return isObject(value)
    ? Object.entries(value).flatMap(([name, part]) => leavesIn(part, [...above, name]))
    : []
}

/** The cookies that an answer sets. */
export function cookiesSet(sample: Sample): ReadonlyMap<string, string> {
  const all = cookiesIn(sample)
  return new Map(all.flatMap(({ name, value }) => (value === '' ? [] : [[name, value] as const])))
}

/** The token that an answer puts in place of one, empty where it takes that away; `undefined` where it leaves it. */
export function replacedBy(sample: Sample, { carrier: { cookie }, token }: Credential): string | undefined {
  const { value } = cookiesIn(sample).find(({ name }) => name === cookie) ?? {}
  return value === token ? undefined : value
}

/** The cookies that an answer sets, and those it takes away, without their values. */
function cookiesIn({
  responseHeaders,
}: Sample): readonly { readonly name: string; readonly value: string }[] {
  return (responseHeaders['set-cookie'] ?? '').split(/,\s*(?=[^;,\s]+=)/).map((text) => {
    const { name, value, expires } = readSetCookie(text)
    const isEnded = /;\s*max-age=(0|-\d+)\b/i.test(text) || expires === NO_TIME
    return { name, value: isEnded ? '' : value }
  })
}

/** Which servers that take a cookie away say that it expires. */
const NO_TIME = new Date(0).toISOString()

const SECRET = /pass(?!port)|pwd|secret|^pin$/i

/** The names that lead to what a body says: into the object that is all that it has, as in `{ user: … }`, or none. */
export function placeInBody(body: unknown): readonly string[] {
  const [only, ...others] = Object.entries(isObject(body) ? body : {})
  return only !== undefined && others.length === 0 && isObject(only[1]) ? [only[0]] : []
}

/** What a body says, by name. */
export function sentIn(body: unknown): Item {
  const sent = memberAt(body, placeInBody(body))
  return isObject(sent) ? sent : {}
}

/** The members of what a body says that have passwords. */
export function secretsIn(body: unknown): readonly string[] {
  const found = Object.entries(sentIn(body)).flatMap(([name, value]) =>
    SECRET.test(name) && typeof value === 'string' && value !== '' ? [name] : [],
  )
  // A client's own says nothing of the user beside it.
  const others = found.filter((name) => name !== 'client_secret')
  return others.length > 0 ? others : found
}

/** The operation of a request whose path has no parameters: each grant is another one. */
export function operationOf(sample: Sample): string {
  return [sample.method, `${sample.origin}${pathOf(sample)}`, grantIn(sample) ?? []].flat().join(' ')
}
