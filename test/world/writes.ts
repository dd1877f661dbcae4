import { isJson, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import { plain, scalarText } from './collections.ts'
import {
  attempt,
  collectionNamed,
  differenceOf,
  findPlace,
  idOf,
  list,
  pick,
  show,
  type Act,
  type Place,
  type Step,
} from './place.ts'

const create: Act = async (step) => {
  const { world, place } = step
  const made = place.collection.create && attempt(() => world.requestOf(place.collection.create as Operation))
  if (made === undefined || typeof made.body !== 'string') return undefined
  const sent = attempt(() => JSON.parse(made.body as string) as unknown)
  if (!isJson(sent)) return undefined
  const query = made.path.split('?', 2)[1]
  const { idField } = place.collection
  const { [idField]: _own, ...others } = sent
  const body = await namingOthers(step, belowParents(place, others))
  const answer = await world.client.ask(
    'POST',
    query === undefined ? place.path : `${place.path}?${query}`,
    body,
    made.headers,
  )
  const id = isJson(answer.body) ? scalarText(answer.body[idShownIn(answer.body, place)]) : undefined
  if (answer.status >= 300 || id === undefined || id.includes('/')) return undefined
  const shown = await show(step, id)
  if (shown.status !== 200) return ['what was created is not there', `${id}: ${shown.status}`]
  const difference = isJson(shown.body) ? differenceOf(sentOf(place, body), shown.body) : undefined
  return difference === undefined ? undefined : ['what was created is something else', difference]
}

// Beside the `registrant_id` of a path, an answer's `id` is that of something else.
function idShownIn(body: Json, { collection: { parameter, idField } }: Place): string {
  return Object.keys(body).find((name) => plain(name) === plain(parameter)) ?? idField
}

// A body that names another parent than its path would contradict that.
function belowParents({ parents }: Place, body: Json): Json {
  const own = Object.entries(parents).filter(([name]) => name in body)
  return {
    ...body,
    ...Object.fromEntries(
      own.map(([name, text]) => [name, typeof body[name] === 'number' ? Number(text) : text]),
    ),
  }
}

// Who writes an item names others that there are.
async function namingOthers({ world, draw, place }: Step, body: Json): Promise<Json> {
  const named = { ...body }
  for (const [name, value] of Object.entries(body)) {
    const target = name in place.parents ? undefined : collectionNamed(world, name)
    const other = target && (await findPlace(world, target, draw))
    if (target === undefined || other === undefined || scalarText(value) === undefined) continue
    const { items = [] } = await list({ world, draw, place: other })
    const id = pick(items, draw)?.[target.idField]
    if (typeof id === typeof value) named[name] = id
  }
  return named
}

// What the server is to take of what was sent.
function sentOf({ collection }: Place, body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !collection.serverSet.has(name)))
}

const remove: Act = async (step) => {
  const { world, place } = step
  const operation = place.collection.remove
  const made = operation && attempt(() => world.requestOf(operation))
  const id = idOf(place, pick((await list(step)).items ?? [], step.draw))
  if (made === undefined || id === undefined || id.includes('/')) return undefined
  const query = made.path.split('?', 2)[1]
  const path = `${place.path}/${encodeURIComponent(id)}`
  const body =
    typeof made.body === 'string' ? attempt(() => JSON.parse(made.body as string) as unknown) : undefined
  const answer = await world.client.ask(
    'DELETE',
    query === undefined ? path : `${path}?${query}`,
    body,
    made.headers,
  )
  if (answer.status >= 300) return answer.status === 404 ? ['an item cannot be deleted', id] : undefined
  const shown = await show(step, id)
  if (shown.status < 400) return ['what was deleted is there', `${id}: ${shown.status}`]
  const { items = [] } = await list(step)
  return items.some((item) => idOf(place, item) === id) ? ['what was deleted is listed', id] : undefined
}

const change: Act = async (step) => {
  const { world, place } = step
  const operation = place.collection.change
  const made = operation && attempt(() => world.requestOf(operation))
  const id = idOf(place, pick((await list(step)).items ?? [], step.draw))
  if (operation === undefined || typeof made?.body !== 'string') return undefined
  if (id === undefined || id.includes('/')) return undefined
  const sent = attempt(() => JSON.parse(made.body as string) as unknown)
  if (!isJson(sent)) return undefined
  const { [place.collection.idField]: _own, ...others } = sent
  const body = await namingOthers(step, belowParents(place, others))
  const query = made.path.split('?', 2)[1]
  const path = `${place.path}/${encodeURIComponent(id)}`
  const answer = await world.client.ask(
    operation.method,
    query === undefined ? path : `${path}?${query}`,
    body,
    made.headers,
  )
  if (answer.status >= 300) return undefined
  const shown = await show(step, id)
  const difference = isJson(shown.body)
    ? differenceOf(sentOf(place, body), shown.body)
    : `${id} is answered with ${shown.status}`
  if (difference !== undefined) return ['a change does not show', difference]
  const listed = ((await list(step)).items ?? []).find((item) => idOf(place, item) === id)
  const inList = listed && differenceOf(sentOf(place, body), listed)
  return inList === undefined ? undefined : ['a change does not show in the list', inList]
}

/** What walks do that changes items. */
export const WRITES: readonly Act[] = [create, change, remove]
