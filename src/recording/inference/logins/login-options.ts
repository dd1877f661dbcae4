import type { LoginOption } from '../../../engine/login-option.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { pointerTo } from '../../../engine/schema/pointer.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { isDeepStrictEqual } from 'node:util'
import type { InferredRoute } from '../infer-route.ts'
import type { Item } from '../item-place.ts'
import { isHidden } from '../../redaction/secrets.ts'
import { isAtResource, type Resource } from '../resources.ts'
import { pathOf, type Sample } from '../sample.ts'
import { isScalar } from '../values.ts'
import { operationOf, placeInBody, secretsIn, sentIn } from './credentials.ts'
import { isTurnedAway, type Logins } from './find-logins.ts'
import { allowedUsers, itemsBefore, listOwner, ownerField } from './owners.ts'

/** What routes have to do with users. */
export interface LoginRoutes {
  /** The path of the collection that users are in. */
  readonly users: string
  /** The ids of those that requests make. */
  readonly ids: ReadonlySet<string>
  readonly options: ReadonlyMap<InferredRoute, LoginOption>
  /** What a request was refused as, for who sent it. */
  readonly refusedAs: ReadonlyMap<number, string>
  readonly firstNumber: number | undefined
}

/** Ids as other things name users by them, and the usual one. */
const IS_OF_USER = /^(id|user_?id|sub)$/i

/** Says what each route has to do with the users that a recording shows. */
export function findLoginRoutes(
  logins: Logins,
  routes: readonly InferredRoute[],
  resources: readonly Resource[],
): LoginRoutes {
  const { samples, operations, carrier, users: known, idName } = logins
  const users = usersPath(logins, routes)
  const itemOf = itemsBefore(samples)
  const refusedAs = new Map(
    samples.flatMap(({ index, refusedAs: code }) => (code === undefined ? [] : [[index, code] as const])),
  )
  const sightings = routes.flatMap((route) => {
    const path = isStored(route, resources) ? undefined : shownAt(route, idName)
    return path === undefined ? [] : [{ route, path }]
  })
  const { tokenPath: givenAt } = [...operations.values()].find(({ does }) => does === 'begin') ?? {}
  const own = {
    users,
    ...(!IS_OF_USER.test(idName) && { id: idName }),
    ...(carrier.cookie === undefined ? headerOf(carrier.header) : { cookie: carrier.cookie }),
  }
  const options = new Map(
    routes.flatMap((route): readonly (readonly [InferredRoute, LoginOption])[] => {
      const option = optionOf(route)
      return option === undefined ? [] : [[route, { ...own, ...option }]]
    }),
  )
  return { users, ids: new Set(known.keys()), options, refusedAs, firstNumber: logins.numbers?.first }

  function optionOf(route: InferredRoute): Partial<LoginOption> | undefined {
    const keys = route.samples.map(operationOf)
    const key = keys.find((each) => operations.has(each)) ?? keys[0]
    const operation = operations.get(key ?? '')
    if (operation !== undefined) {
      const { does, secret, tokenPath, idPath, tokens, first: ofFirst, enrols } = operation
      const { refreshPath, revokes, basic, by = logins.by } = operation
      return {
        ...{ does, secret },
        ...(does !== 'refresh' && { by }),
        ...(refreshPath !== undefined && { refresh: pointerTo(refreshPath) }),
        ...(revokes !== undefined && { revokes }),
        ...(basic !== undefined && { basic }),
        ...(tokenPath !== undefined && { token: pointerTo(tokenPath) }),
        ...(tokens !== undefined && { tokens }),
        ...(ofFirst !== undefined && { first: ofFirst }),
        ...(enrols !== undefined && { enrols, ...(logins.holds && { holds: true }) }),
        ...bodyOf(operation.samples),
        ...userAt(idPath, operation.samples),
      }
    }
    const ofUsers = route.samples.filter(({ user }) => user !== undefined)
    const ofNobody = route.samples.filter(({ user }) => user === undefined)
    const fine = ofUsers.filter((sample) => sample.status < 300 && !isTurnedAway(sample))
    const isOptional = ofNobody.some((sample) => sample.status < 300 && sample.refusedAs === undefined)
    const needs = isOptional ? { optional: true } : {}
    if (logins.ends.has(key ?? '')) return { does: 'end', ...needs }
    if (fine.length === 0 && !ofNobody.some(({ refusedAs: code }) => code !== undefined)) return undefined
    const owner =
      ownerField(route.samples, itemOf, route.path.startsWith(`${users}/`)) ??
      (route.method === 'GET' ? listOwner(fine, samples) : undefined)
    const refused = ofUsers.filter((sample) => sample.status >= 400 && isOthers(sample, owner))
    const only = owner === undefined ? allowedUsers(ofUsers, idName) : undefined
    if (owner !== undefined || only !== undefined)
      for (const { index } of refused) refusedAs.set(index, 'SIM_FORBIDDEN')
    const sighted = sightings.find((each) => each.route === route)
    const renews = logins.renews.get(key ?? '')
    const isChange = renews === undefined && changesUser(route, fine)
    if (renews !== undefined)
      for (const { index, body, status } of ofUsers)
        if (status >= 400 && secretsIn(body).length === 2)
          refusedAs.set(index, 'SIM_LOGIN_FAILED/secret_wrong')
    return {
      ...needs,
      ...renews,
      ...(isChange && { does: 'change' as const }),
      ...((isChange || renews !== undefined) && bodyOf(fine)),
      ...(givesToken(fine, sighted?.path) && { token: pointerTo(givenAt ?? []) }),
      ...(sighted !== undefined && { user: pointerTo(sighted.path) }),
      ...(owner !== undefined && { owner }),
      ...(only !== undefined && { only }),
    }
  }

  // Some answers have a new token each time that they show the user.
  function givesToken(fine: readonly Sample[], user: readonly string[] | undefined): boolean {
    return (
      user !== undefined &&
      givenAt !== undefined &&
      isDeepStrictEqual(givenAt.slice(0, -1), user) &&
      fine.every(({ response }) => typeof memberAt(response, givenAt) === 'string')
    )
  }

  function isOthers(sample: Sample, owner: string | undefined): boolean {
    if (isTurnedAway(sample)) return true
    const whose = owner === undefined ? undefined : itemOf(sample)?.[owner]
    return isScalar(whose) && sample.status === 404 && String(whose) !== sample.caller
  }

  // What it sends is what the user has from then on.
  function changesUser(route: InferredRoute, fine: readonly Sample[]): boolean {
    if (route.method === 'GET' || route.method === 'DELETE' || isStored(route, resources)) return false
    const effects = fine.flatMap(({ body: given, caller, index }) => {
      const body = sentIn(given)
      const later = sightings
        .flatMap(({ route: { samples: all }, path }) => all.map((sample) => ({ sample, path })))
        .filter(({ sample }) => sample.index >= index && sample.caller === caller)
        .toSorted((a, b) => a.sample.index - b.sample.index)
        .map(({ sample, path }) => memberAt(sample.response, path))
        .find((shown) => isObject(shown))
      return isObject(later) ? [{ body, later }] : []
    })
    return (
      effects.length > 0 &&
      effects.every(({ body, later }) => {
        const names = Object.keys(body)
        return names.length > 0 && names.every((name) => isDeepStrictEqual(body[name], (later as Item)[name]))
      })
    )
  }
}

function headerOf(header: string | undefined): Pick<LoginOption, 'header'> {
  return header === undefined || header === 'authorization' ? {} : { header }
}

function isStored(route: InferredRoute, resources: readonly Resource[]): boolean {
  return resources.some((resource) => isAtResource(resource, route))
}

// Where bodies have the user, if all have it in the same place.
function bodyOf(samples: readonly Sample[]): Pick<LoginOption, 'body'> {
  const places = new Set(samples.map(({ body }) => pointerTo(placeInBody(body))))
  const [place = ''] = places
  return places.size > 1 || place === '' ? {} : { body: place }
}

// Where what answers show of the user is, besides the id.
function userAt(
  idPath: readonly string[] | undefined,
  samples: readonly Sample[],
): Pick<LoginOption, 'user'> {
  if (idPath === undefined) return {}
  const [id = 'id'] = idPath.slice(-1)
  const above = idPath.slice(0, -1)
  const isUser = samples.every(({ response }) => Object.keys(memberAt(response, above) ?? {}).length > 1)
  return (id !== 'id' && IS_OF_USER.test(id)) || !isUser ? {} : { user: pointerTo(above) }
}

// The names that lead to the user who asks, in all that is answered.
function shownAt({ samples }: InferredRoute, idName: string): readonly string[] | undefined {
  const fine = samples.filter(
    ({ user, caller, status, response }) =>
      user !== undefined && !isHidden(caller ?? '') && status < 300 && isObject(response),
  )
  const [first] = fine
  if (first === undefined) return undefined
  const able = [[], ...Object.keys(first.response as Item).map((name) => [name])]
  return able.find((path) => {
    const all = fine.map(({ response, user, caller }) => ({ shown: memberAt(response, path), user, caller }))
    const isUser = all.every(
      ({ shown, caller }) =>
        isObject(shown) && Object.keys(shown).length > 1 && String(shown[idName] ?? shown['_id']) === caller,
    )
    // Other things may have the same id by chance, and users may have been changed.
    const alike = all.filter(({ shown, user }) =>
      Object.entries(user ?? {}).some(
        ([name, value]) =>
          (name !== idName || !/^\d*$/.test(String(value))) && isObject(shown) && shown[name] === value,
      ),
    )
    return isUser && alike.length * 2 >= all.length
  })
}

// Where users are read one by one, or else where they are made, or log in.
function usersPath(
  { samples, users, operations }: Logins,
  routes: readonly Pick<InferredRoute, 'path'>[],
): string {
  const isCollection = (path: string): boolean =>
    routes.some((route) => route.path.startsWith(`${path}/{`) && route.path.lastIndexOf('/') === path.length)
  for (const { segments, status, response } of samples) {
    const user = users.get(segments.at(-1) ?? '')
    const path = pathOf({ segments: segments.slice(0, -1) })
    if (user === undefined || status >= 300 || !isObject(response) || !isCollection(path)) continue
    const names = Object.entries(user.fields).filter(([, value]) => typeof value === 'string')
    if (names.some(([name, value]) => response[name] === value)) return path
  }
  const own = [...operations.values()]
  const made = own.find(({ does }) => does === 'register') ?? own.find(({ enrols }) => enrols !== undefined)
  return made?.samples[0] === undefined ? '/users' : pathOf(made.samples[0])
}
