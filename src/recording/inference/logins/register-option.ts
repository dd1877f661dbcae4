import type { ItemOption } from '../../../engine/route-options.ts'
import { type LoginOption, namingFields } from '../../../engine/login-option.ts'
import { isObject, propertiesOf } from '../../../engine/schema/schema.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { readPointer } from '../../../engine/schema/pointer.ts'
import type { InferredRoute } from '../infer-route.ts'
import { idIn } from '../item-place.ts'
import { learnIds } from '../learn-ids.ts'
import { changePart } from '../model-fields.ts'
import type { Resource } from '../resources.ts'
import type { Sample } from '../sample.ts'
import { sentIn } from './credentials.ts'
import type { LoginRoutes } from './login-options.ts'

/** Collections without the users that requests make. */
export function withoutUsers(
  resources: readonly Resource[],
  { users, ids }: LoginRoutes,
): readonly Resource[] {
  return resources.map((resource) => {
    if (resource.collection !== users) return resource
    const seeds = [...resource.seeds].map(
      ([path, items]) => [path, items.filter((item) => !ids.has(idIn(item, resource.place) ?? ''))] as const,
    )
    return { ...resource, seeds: new Map(seeds) }
  })
}

/**
 * A route with what it has to do with users; one that makes them makes them as all others are than the first one. Tokens
 * have no form where those that were recorded are hidden.
 * @param ofKeys what it has to do with API keys
 */
export function withLogin(
  inferred: InferredRoute,
  users: LoginRoutes | undefined,
  ofKeys: LoginOption | undefined,
): InferredRoute {
  const login = ofKeys ?? users?.options.get(inferred)
  const route = withOpenToken({ ...inferred, login, firstUser: users?.firstNumber })
  const { first, user } = login ?? {}
  const { output, samples } = route
  if (first === undefined || user === undefined || output === undefined) return route
  const path = readPointer(user)
  const last = memberAt(samples.findLast(({ status }) => status < 300)?.response, path)
  const fixed = Object.keys(first).map(
    (name) => [name, { const: isObject(last) ? last[name] : null }] as const,
  )
  const model = changePart(output.model, path, (part) => ({
    ...part,
    properties: { ...Object.fromEntries(propertiesOf(part)), ...Object.fromEntries(fixed) },
  }))
  return { ...route, output: { ...output, model } }
}

function withOpenToken(route: InferredRoute): InferredRoute {
  const { login: { token, tokens } = {}, output } = route
  if (token === undefined || tokens !== undefined || output === undefined) return route
  const model = changePart(output.model, readPointer(token), ({ pattern: _pattern, ...open }) => open)
  return { ...route, output: { ...output, model } }
}

// Users keep what an envelope holds, but for the password; what is in none is a link of the model.
function keptOf(
  { body, id = 'id', secret = '' }: LoginOption,
  samples: readonly Sample[],
): Partial<ItemOption> {
  const isSent = samples.every(({ body: sent, status }) => status >= 400 || Object.hasOwn(sentIn(sent), id))
  return { body, drops: [secret], ...(isSent && { ids: 'sent' }) }
}

/** Where the users are stored that a route makes, whose path is not that of their collection. */
export function registerOption({ login, path, samples, firstUser }: InferredRoute): ItemOption | undefined {
  if (login?.does !== 'register' || login.user === undefined) return undefined
  const place = [...readPointer(login.user), login.id ?? 'id']
  const made = samples.flatMap(({ status, response }) => {
    const id = status < 300 ? memberAt(response, place) : undefined
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
  const ids = learnIds([made], [])
  const taken = samples.some(({ refusedAs }) => refusedAs === 'SIM_ITEM_EXISTS')
    ? namingFields(login.by ?? {}).map(([, field]) => field)
    : []
  return {
    ...(login.users !== path && { at: login.users }),
    // Answers show no user's number.
    ...(firstUser !== undefined && { numbers: { id: firstUser }, begins: { id: null } }),
    ...(login.user !== '' && { answer: login.user }),
    ...(ids !== undefined && { ids }),
    ...(login.body !== undefined && keptOf(login, samples)),
    ...(taken.length > 0 && { unique: taken }),
    ...(login.id !== undefined && { id: `/${login.id}` }),
  }
}
