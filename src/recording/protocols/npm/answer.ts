import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { readBasic, readBearer } from '../../../http/credentials.ts'
import { isHidden } from '../../redaction/secrets.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { abbreviatedDocument, document, packageOf, publish, replace, tag, versionOf } from './packages.ts'
import { filled, type Learned, Refusal, type RegistryRequest, type Store } from './registry.ts'
import { searched } from './search.ts'

/** The media type of packages that have what npm itself needs. */
export const ABBREVIATED_TYPE = 'application/vnd.npm.install-v1+json'

const USER = /^org\.couchdb\.user:(.+)$/

/** The kind of a request, by which its answers are known; `undefined` for one that is not of the API. */
export function kindOf({ method, segments, body }: RegistryRequest): string | undefined {
  const [first = '', second, third, fourth, ...others] = segments
  const isRead = method === 'GET' || method === 'HEAD'
  if (others.length > 1) return undefined
  if (first === '-') {
    if (second === 'whoami' && isRead) return 'whoami'
    if (second === 'user' && third === 'token' && method === 'DELETE') return 'logout'
    if (second === 'user' && USER.test(third ?? ''))
      return isRead ? 'user' : method === 'PUT' ? 'login' : undefined
    if (second === 'v1' && third === 'search' && isRead) return 'search'
    if (second !== 'package' || fourth !== 'dist-tags') return undefined
    if (others.length === 0) return isRead ? 'tags' : undefined
    return method === 'DELETE' ? 'untag' : method === 'PUT' || method === 'POST' ? 'tag' : undefined
  }
  if (first === '' || first.startsWith('-')) return undefined
  if (second === undefined) {
    if (method === 'PUT') return hasFiles(body) ? 'publish' : 'change'
    return isRead ? 'package' : undefined
  }
  if (second === '-rev') return method === 'DELETE' ? 'remove' : method === 'PUT' ? 'change' : undefined
  if (second === '-') return isRead ? 'file' : method === 'DELETE' ? 'removeFile' : undefined
  return isRead && third === undefined ? 'version' : undefined
}

function hasFiles(body: unknown): boolean {
  return isObject(body) && isObject(body['_attachments']) && Object.keys(body['_attachments']).length > 0
}

/** What a request names, which its answer may repeat. */
export function namesIn(request: RegistryRequest): Readonly<Record<string, string>> {
  const { segments } = request
  const [first = '', second = '', third = ''] = segments
  if (first === '-') {
    const [, user = ''] = USER.exec(third) ?? []
    return { user, package: second === 'package' ? third : '', version: segments[4] ?? '' }
  }
  return { user: '', package: first, version: second.startsWith('-') ? '' : second }
}

/** Whether an `Accept` header asks for an abbreviated package. */
export function wantsAbbreviated({ headers }: RegistryRequest): boolean {
  return String(headers['accept'] ?? '').includes(ABBREVIATED_TYPE)
}

/** The kinds of requests that change a package, and of those that read one. */
export const CHANGES: ReadonlySet<string> = new Set([
  'publish',
  'change',
  'remove',
  'removeFile',
  'tag',
  'untag',
])
export const READS: ReadonlySet<string> = new Set(['package', 'version', 'file', 'tags'])

/** The answer to a request, which changes what is kept; `undefined` where that is not known. @throws Refusal */
export function answer(
  request: RegistryRequest,
  store: Store,
  known: Learned,
  fresh: Fresh,
): CallOutcome | undefined {
  const kind = kindOf(request)
  const named = namesIn(request)
  const { body, segments, query } = request
  const caller = callerOf(request, store, known)
  const name = named['package'] ?? ''
  const said = (more: Readonly<Record<string, string>> = {}): CallOutcome => {
    const { status, body: text } = known.said[kind ?? ''] ?? { status: 201, body: { ok: 'package changed' } }
    return { status, value: filled(text, { ...named, ...more }) }
  }
  if (kind === undefined) return undefined
  if (CHANGES.has(kind) && caller === undefined) throw new Refusal('noPublisher', named)
  if (known.isPrivate && caller === undefined && READS.has(kind)) throw new Refusal('noUser', named)
  switch (kind) {
    case 'whoami':
      if (caller !== undefined) return { status: 200, value: { username: caller } }
      throw new Refusal(bearerOf(request) === undefined ? 'nobody' : 'unknownToken')
    case 'login':
      return login(request, store, known, fresh)
    case 'user':
      return said({ user: caller ?? 'undefined' })
    case 'logout':
      store.tokens.delete(segments[3] ?? '')
      return said()
    case 'package': {
      const found = packageOf(store, name)
      const isShort = wantsAbbreviated(request)
      const type = known.types[isShort ? 'abbreviated' : 'package']
      return {
        status: 200,
        ...(type !== undefined && { headers: { 'content-type': type } }),
        value: isShort ? abbreviatedDocument(found, known) : document(found, known),
      }
    }
    case 'version':
      return { status: 200, value: versionOf(packageOf(store, name), named['version'] ?? '', known) }
    case 'file': {
      const { files } = packageOf(store, name)
      const file = segments.at(-1) ?? ''
      if (!Object.hasOwn(files, file)) {
        const versions = JSON.stringify(packageOf(store, name).versions)
        // An archive that was never got is there, and its bytes are not.
        if (versions.includes(`/-/${file}"`)) return undefined
        throw new Refusal('noFile', named)
      }
      const type = known.types['file'] ?? 'application/octet-stream'
      return {
        status: 200,
        headers: { 'content-type': type },
        value: Buffer.from(files[file] ?? '', 'base64'),
      }
    }
    case 'publish':
      publish(store, body as Readonly<Record<string, unknown>>, known, fresh)
      return said()
    case 'change':
      if (!isObject(body)) return undefined
      replace(store, name, body, known, fresh)
      return said()
    case 'remove':
      packageOf(store, name)
      store.packages.delete(name)
      return said()
    case 'removeFile': {
      const found = packageOf(store, name)
      const { [segments[2] ?? '']: _removed, ...files } = found.files
      store.packages.set(name, { ...found, files })
      return said()
    }
    case 'tags':
      return { status: 200, value: packageOf(store, name).tags }
    case 'tag':
    case 'untag': {
      const version = kind === 'tag' ? String(body).replaceAll('"', '') : undefined
      tag(store, name, [segments[4] ?? '', version], known, fresh)
      return said()
    }
    default:
      return { status: 200, value: searched(store, query, known, fresh) }
  }
}

/** The token of a request. */
export function bearerOf(request: RegistryRequest): string | undefined {
  return readBearer(authorizationIn(request))
}

function authorizationIn({ headers }: RegistryRequest): string {
  return String(headers['authorization'] ?? '')
}

function callerOf(
  request: RegistryRequest,
  { tokens, users }: Store,
  { before }: Learned,
): string | undefined {
  const token = bearerOf(request)
  if (token !== undefined) return (tokens.get(token)?.['user'] as string | undefined) ?? before
  const authorization = authorizationIn(request)
  // What a recording has hidden is whose the path says.
  if (/^basic /i.test(authorization) && isHidden(authorization)) return namesIn(request)['user'] ?? ''
  const [user, password] = readBasic(authorization) ?? []
  return user !== undefined && isRight(users, user, password) ? user : undefined
}

function isRight(users: Store['users'], name: string, password: unknown): boolean {
  const user = users.get(name)
  return user !== undefined && (user['password'] === undefined || user['password'] === password)
}

const TOKEN = 'NzdiNjg1ODcxYzc5NDBlMGM4ZmFjN2ViZWRhM2Q3ZTg6Y2ViNWY4'

function login(request: RegistryRequest, store: Store, known: Learned, fresh: Fresh): CallOutcome {
  const { body } = request
  const { user: name = '' } = namesIn(request)
  const password = isObject(body) ? body['password'] : undefined
  const isKnown = store.users.has(name)
  const mayEnter = isRight(store.users, name, password)
  if (isKnown && !mayEnter) throw new Refusal('wrongPassword', { user: name })
  const isSelf = callerOf(request, store, known) === name
  if (isKnown && !isSelf && known.refusals.userExists !== undefined)
    throw new Refusal('userExists', { user: name })
  const token = freshLike(TOKEN, { ...fresh, seed: `${fresh.seed} token ${store.tokens.size}` })
  store.users.set(name, { id: name, password })
  store.tokens.set(token, { id: token, user: name })
  const kind = isKnown ? 'login' : 'register'
  const { status, body: text } = known.said[kind] ?? { status: 201, body: { ok: `user '{user}' created` } }
  return { status, value: { ...(filled(text, { user: name }) as object), token } }
}
