import type { ItemOption } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { pathShape, splitItemPath } from '../../routing/path-template.ts'
import type { Elsewhere } from './elsewhere.ts'
import { answerOf } from './answer-place.ts'
import type { Conflicts } from './conflicts.ts'
import type { InferredRoute } from './infer-route.ts'
import { findIdempotent } from './idempotent.ts'
import type { StoredModel } from './resource-models.ts'
import { numberedFields } from './numbered-fields.ts'
import { elsewhereOf, type Resource, wholeWriteOf } from './resources.ts'
import type { Sample } from './sample.ts'
import { writtenModel } from './written-model.ts'

/** Where the items of a route are and what is done with them, wherever path, method and usual names do not say it. */
export function itemOption(
  route: InferredRoute,
  resource: Resource,
  stored: StoredModel | undefined,
): ItemOption | undefined {
  const option = ownOption(route, resource, stored)
  const idempotent = findIdempotent(route.samples)
  const { affects } = route
  if (idempotent === undefined && affects === undefined) return option
  return { ...option, ...(affects && { affects }), ...(idempotent && { idempotent }) }
}

function ownOption(
  route: InferredRoute,
  resource: Resource,
  stored: StoredModel | undefined,
): ItemOption | undefined {
  const other = elsewhereOf(resource, route)
  if (other?.does === 'remove' || (other?.does === 'change' && !other.isShown && other.entry === undefined))
    return actionOption(other, resource)
  if (other?.does === 'part') {
    const { at, part = [], answer = [] } = other
    return { at, part: pointerTo(part), ...(answer.length > 0 && { answer: pointerTo(answer) }) }
  }
  if (other?.entry !== undefined)
    return {
      ...actionOption(other, resource),
      entry: other.entry,
      ...(other.refers !== undefined && { refers: other.refers }),
      ...(Object.keys(resource.repeats).length > 0 && { repeats: resource.repeats }),
      ...(resource.computes && { computes: resource.computes }),
    }
  if (other?.does === 'count') return { at: other.at, counts: pointerTo(other.counts ?? []) }
  if (other?.does === 'first') return { at: other.at, first: true }
  const { place, writes, path, collection, unique, repeats } = resource
  const ids = writes.hasSentIds ? 'sent' : resource.ids
  const method = other?.does === 'create' ? 'POST' : route.method
  const isWrite = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  const isAction = other?.does === 'change'
  const isOnly = resource.isOnly === true
  const isItem = isOnly || isAction || other?.does === 'show' || (route.path === path && path !== collection)
  const isAnswered = stored !== undefined && route.output?.form === 'single'
  const answer = answerOf(route.samples, route.status, place)
  const [name, ...deeper] = place.id
  const usual = [splitItemPath(path)?.parameter, 'id']
  const isUsual =
    deeper.length === 0 && usual.find((each) => each === name || hasField(stored, each)) === name
  const { drops = [], completes = {} } = stored?.sent ?? {}
  const usually = isItem ? writes.deeds.get(method) : undefined
  const does = isAction ? deedOf(other) : method === route.method ? usually : 'create'
  const isChange = does === 'change' || does === 'replace' || (does === undefined && method === 'PATCH')
  const makes = isItem ? method === 'PUT' : method === 'POST'
  const numbers = makes && stored ? numberedFields(stored.view, deeper.length === 0 ? name : undefined) : {}
  const refers = { ...(isWrite && stored?.sent !== undefined && stored.refers), ...route.refers }
  const hidden = isWrite ? hiddenMembers(stored) : []
  const repeatsInLists = Object.keys(repeats).some((pointer) => pointer.includes('/-/'))
  const whole = wholeWriteOf(resource, route)
  if (whole !== undefined)
    return {
      ...(whole.at !== undefined && { at: whole.at }),
      does: whole.does,
      ...(whole.body.length > 0 && { body: pointerTo(whole.body) }),
      ...(!isUsual && { id: pointerTo(place.id) }),
      ...(whole.does !== 'remove' && {
        ...(ids !== undefined && { ids }),
        ...(stored?.makes && { stores: storesOf(stored.makes) }),
        ...(Object.keys(repeats).length > 0 && { repeats }),
        ...(resource.computes && { computes: resource.computes }),
        ...(Object.keys(completes).length > 0 && { completes }),
        ...(drops.length > 0 && { drops }),
      }),
    }
  const option: ItemOption = {
    ...(other !== undefined && pathShape(other.at) !== pathShape(route.path) && { at: other.at }),
    ...(other?.does === 'create' && !other.isShown && stored && { stores: storesOf(stored) }),
    ...(route.parent !== undefined && { parent: route.parent }),
    ...(isWrite && !isAction && route.needed && { needs: route.needed.needs }),
    ...(!isAction && conflictOption(method, route.conflicts)),
    ...(isItem && method === 'PUT' && resource.of !== undefined && { of: resource.of }),
    ...(isAnswered && answer.length > 0 && { answer: pointerTo(answer) }),
    ...(isWrite && place.body.length > 0 && { body: pointerTo(place.body) }),
    ...(isListed(route) && {
      lists: true,
      ...(method !== 'DELETE' && stored && { stores: storesOf(stored) }),
    }),
    ...(isOnly && { only: true }),
    ...(resource.otherwise !== undefined && { otherwise: resource.otherwise }),
    ...(!isUsual && !isOnly && { id: pointerTo(place.id) }),
    ...(isItem && place.also !== undefined && { also: pointerTo([place.also]) }),
    ...(isWrite && !isItem && ids !== undefined && { ids }),
    ...(Object.keys(numbers).length > 0 && { numbers }),
    ...(does !== undefined && { does }),
    ...((isItem ? isChange || makes : method === 'POST') && unique.length > 0 && { unique }),
    ...((makes || (isChange && repeatsInLists)) && Object.keys(repeats).length > 0 && { repeats }),
    ...((makes || isChange) && resource.computes && { computes: resource.computes }),
    ...(isItem && method === 'DELETE' && writes.absent && { absent: absentOption(writes.absent, route) }),
    ...(isItem && method === 'PUT' && writes.puts !== undefined && { again: writes.puts.again }),
    ...(Object.keys(refers).length > 0 && { refers }),
    ...(hidden.length > 0 && { begins: Object.fromEntries(hidden) }),
    ...(isItem &&
      isChange &&
      stored?.sent !== undefined &&
      Object.keys(writes.touches).length > 0 && { touches: writes.touches }),
    ...(isWrite && writes.merges.length > 0 && { merges: writes.merges }),
    ...(isWrite && !isAction && Object.keys(completes).length > 0 && { completes }),
    ...(isWrite && !isAction && drops.length > 0 && { drops }),
    ...(other !== undefined && particularOf(other)),
    ...(isItem && isChange && !writes.checked.has(method) && { finds: 'first' as const }),
  }
  return Object.keys(option).length === 0 ? undefined : option
}

function conflictOption(method: string, { holders, from, version }: Partial<Conflicts> = {}): ItemOption {
  if (method === 'DELETE') return { ...(holders && { holders }), ...(from && { from }) }
  return { ...(version && { version }) }
}

function absentOption(
  { status, response }: NonNullable<Resource['writes']['absent']>,
  route: InferredRoute,
): ItemOption['absent'] {
  return { ...(status !== route.status && { status }), ...(response !== undefined && { body: response }) }
}

// What items have later, and no answer of the route shows.
function hiddenMembers(stored: StoredModel | undefined): readonly (readonly [string, unknown])[] {
  const { later, view } = stored ?? {}
  if (later === undefined || view === undefined) return []
  const answered = view.samples.flatMap(({ status, response }) =>
    status < 300 && isObject(response) ? [response] : [],
  )
  return [...later].filter(([name]) => !answered.some((item) => Object.hasOwn(item, name)))
}

// What answers is not the item, and says nothing of where it is.
function actionOption(other: Elsewhere, { place: { id, also } }: Resource): ItemOption {
  const { at, does } = other
  const names = also === undefined ? {} : { id: pointerTo(id), also: pointerTo([also]) }
  return { at, ...names, does: does === 'remove' ? 'remove' : deedOf(other), ...particularOf(other) }
}

function deedOf({ replaces }: Elsewhere): 'change' | 'replace' {
  return replaces === true ? 'replace' : 'change'
}

function particularOf({
  does,
  isShown,
  sets,
  once,
  from,
  touches,
  adds,
  least,
  drops = [],
}: Elsewhere): ItemOption {
  return {
    ...(sets !== undefined && { sets }),
    ...(once === true && { once }),
    ...(from !== undefined && { from }),
    ...(touches !== undefined && { touches }),
    ...(adds !== undefined && { adds }),
    ...(least !== undefined && { least }),
    ...(drops.length > 0 && { drops }),
    ...(does === 'change' && !isShown && { shown: false }),
  }
}

function storesOf(stored: StoredModel): Schema {
  const model = stored.sent === undefined ? stored.model : writtenModel(stored)
  // What is read later has more of what is always the same than what was seen first.
  const properties = propertiesOf(model).map(([name, part]) => {
    const value = stored.later?.get(name)
    return [name, isObject(part) && 'const' in part && value !== undefined ? { const: value } : part]
  })
  return properties.length === 0 ? model : { ...model, properties: Object.fromEntries(properties) as Schema }
}

function hasField(stored: StoredModel | undefined, name: string | undefined): boolean {
  return propertiesOf(stored?.model ?? {}).some(([each]) => each === name)
}

/** Whether a route answers writes with the whole list of its collection. */
export function isListed({ samples, status }: InferredRoute): boolean {
  const answered = samples.filter((sample) => sample.status === status)
  return answered.length > 0 && answered.every(({ listed }) => listed !== undefined)
}

/** Whether successful answers of a route have no body, and what it stores was read later. */
export function isAnsweredEmpty({ samples, status }: InferredRoute): boolean {
  const answered = samples.filter((sample) => sample.status === status)
  return answered.some((sample) => sample.isEmpty === true) && !answered.some(hasBody)
}

function hasBody({ isEmpty: isShownLater, response }: Sample): boolean {
  return isShownLater !== true && response !== undefined
}

/** Whether a route only ever answered empty lists, so that nobody knows what would be in them. */
export function isAlwaysEmpty({ output, samples, status }: InferredRoute): boolean {
  const answered = samples.filter((sample) => sample.status === status)
  return (
    output?.form === 'list' &&
    answered.length > 0 &&
    answered.every(({ response }) => Array.isArray(response) && response.length === 0)
  )
}
