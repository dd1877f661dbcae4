import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { type Item, plainType } from '../../calls/objects.ts'
import { textOf } from '../protocol.ts'
import { bearerOf, CHANGES, kindOf, namesIn, READS, wantsAbbreviated } from './answer.ts'
import { packageIn } from './packages.ts'
import {
  type Fields,
  type Learned,
  type Package,
  PACKAGES,
  type Reason,
  requestOf,
  TOKENS,
  unfilled,
  USERS,
} from './registry.ts'

const REVISION = '1-0123456789abcdef'

/** The packages and users that there were in the beginning, and how the registry answers. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const packages = new Map<string, Package>()
  const users = new Map<string, Item>()
  const changed = new Set<string>()
  const versions = new Map<string, Set<string>>()
  const passwords = new Map<string, unknown>()
  const issued = new Map<string, string>()
  const refusals: Record<string, { status: number; body: unknown }> = {}
  const said: Record<string, { status: number; body: unknown }> = {}
  const types: Record<string, string> = {}
  const published = new Set<string>()
  const wholes: Fields[] = []
  const shorts: Fields[] = []
  let [search, before, isPrivate]: [Fields | undefined, string | undefined, boolean] = [
    undefined,
    undefined,
    false,
  ]
  for (const { call, outcome } of calls) {
    const request = requestOf(call, root)
    const kind = request && kindOf(request)
    if (request === undefined || kind === undefined) continue
    const { status = 200, headers = {} } = outcome
    const named = namesIn(request)
    const { package: name = '', user = '' } = named
    const body = outcome.error ?? outcome.value
    const token = bearerOf(request)
    const isAnonymous = request.headers['authorization'] === undefined
    const sent: Fields = isObject(request.body) ? request.body : {}
    const known = versions.get(name)
    const refuse = (reason: Reason): void => {
      refusals[reason] ??= { status, body: unfilled(body, named) }
    }
    if (status >= 400 || (kind === 'whoami' && !(isObject(body) && 'username' in body))) {
      if (kind === 'login') refuse(passwords.get(user) === sent['password'] ? 'userExists' : 'wrongPassword')
      else if (kind === 'whoami') refuse(isAnonymous ? 'nobody' : 'unknownToken')
      else if (READS.has(kind) && isAnonymous && status !== 404) {
        isPrivate = true
        refuse('noUser')
      } else if (CHANGES.has(kind) && (isAnonymous || status === 401)) refuse('noPublisher')
      else if (status === 409 || (status === 403 && kind === 'publish')) refuse('versionExists')
      else if (kind === 'package' || known === undefined) refuse('noPackage')
      else if (kind === 'version') refuse('noVersion')
      else if (kind === 'file') refuse('noFile')
      if (kind === 'login' && !passwords.has(user)) users.set(user, { id: user })
      continue
    }
    if (token !== undefined && !issued.has(token) && kind === 'whoami' && isObject(body))
      before = String(body['username'])
    const type = headers['content-type']
    switch (kind) {
      case 'login': {
        const isNew = !passwords.has(user) && /creat|register|new|sign/i.test(JSON.stringify(body))
        if (!isNew && !passwords.has(user)) users.set(user, { id: user })
        passwords.set(user, sent['password'])
        const { token: given, ...text } = isObject(body) ? body : {}
        if (typeof given === 'string') issued.set(given, user)
        said[isNew ? 'register' : 'login'] ??= { status, body: unfilled(text, named) }
        break
      }
      case 'package': {
        if (!isObject(body)) break
        const isShort = wantsAbbreviated(request) && body['_id'] === undefined
        if (type !== undefined) types[isShort ? 'abbreviated' : 'package'] ??= type
        ;(isShort ? shorts : wholes).push(body)
        versions.set(name, new Set(Object.keys(packageIn(body).versions)))
        if (!changed.has(name) && (!packages.has(name) || !isShort))
          packages.set(name, { ...packageIn(body), files: packages.get(name)?.files ?? {} })
        break
      }
      case 'file': {
        if (type !== undefined) types['file'] ??= type
        const found = packages.get(name)
        const file = request.segments.at(-1) ?? ''
        if (found !== undefined && typeof body === 'string')
          packages.set(name, {
            ...found,
            files: { ...found.files, [file]: Buffer.from(body).toString('base64') },
          })
        break
      }
      case 'search':
        if (isObject(body) && (search === undefined || [search['objects']].flat().length === 0)) search = body
        break
      default:
        if (CHANGES.has(kind) || kind === 'logout' || kind === 'user')
          said[kind] ??= { status, body: unfilled(body, kind === 'user' ? { user: userIn(body) } : named) }
        if (!CHANGES.has(kind)) break
        changed.add(name)
        if (kind === 'publish')
          for (const each of versionsIn(sent)) for (const member of Object.keys(each)) published.add(member)
        versions.set(name, new Set([...(known ?? []), ...Object.keys(packageIn({ ...sent, name }).versions)]))
    }
  }
  const learned: Learned = {
    ...{ root, refusals, said, types, isPrivate, before, search },
    revision: wholes.map((each) => textOf(each['_rev'])).find((each) => each !== undefined) ?? REVISION,
    ofPackage: commonOf(wholes.map((each) => packageIn(each).more)),
    ofVersion: addedTo(published, wholes),
    abbreviated: {
      ofPackage: [...new Set(shorts.flatMap((each) => Object.keys(each)))],
      ofVersion: [...new Set(shorts.flatMap(versionsIn).flatMap((each) => Object.keys(each)))],
    },
  }
  return {
    types: {
      [PACKAGES]: plainType('id', packages.values()),
      [USERS]: plainType('id', users.values()),
      [TOKENS]: plainType('id', []),
    },
    learned: JSON.parse(JSON.stringify(learned)) as Record<string, unknown>,
  }
}

function userIn(body: unknown): string {
  return /'([^']+)'/.exec(JSON.stringify(body))?.[1] ?? ''
}

function versionsIn(shown: Fields): readonly Fields[] {
  return Object.values(packageIn(shown).versions)
}

// What all have alike.
function commonOf(all: readonly Fields[]): Fields {
  const [first = {}, ...others] = all
  const same = Object.entries(first).filter(([name, value]) =>
    others.every((each) => JSON.stringify(each[name]) === JSON.stringify(value)),
  )
  return Object.fromEntries(same.filter(([name, value]) => name === 'readme' || !isText(value)))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

// What versions have that nobody has published with them.
function addedTo(published: ReadonlySet<string>, wholes: readonly Fields[]): Fields {
  if (published.size === 0) return {}
  const added = Object.entries(commonOf(wholes.flatMap(versionsIn)))
  return Object.fromEntries(added.filter(([name]) => !published.has(name)))
}
