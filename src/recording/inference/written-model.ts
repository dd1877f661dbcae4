import { isDeepStrictEqual } from 'node:util'
import { remembered } from '../../engine/lazy.ts'
import { requiredOf } from '../../engine/schema/keywords.ts'
import {
  isObject,
  LINK,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { SEEN, schemaOfValues } from '../../shape/observed-schema.ts'
import { type InferredRoute, linkOfEcho } from './infer-route.ts'
import { completedLists } from './completed-lists.ts'
import type { Item } from './item-place.ts'
import { holdsTime, isKnown, madePart, usuallyMade, withUnsent } from './made-part.ts'
import { attachLinks, changePart, openOutput } from './model-fields.ts'
import { namesOf } from '../../routing/path-template.ts'
import { partlySent, type SentPart } from './partly-sent.ts'
import { withoutRepeated } from './repeated-ids.ts'
import type { Resource } from './resources.ts'
import { type Sample, valuesInPath } from './sample.ts'
import type { SentFields, StoredModel } from './resource-models.ts'
import { computedPart, findComputed, findComputedByCase, type Template } from './templates.ts'
import { isScalar } from './values.ts'

/**
 * What the items that a resource's routes make or replace keep as it was sent; `undefined` where there is nothing.
 * @param resource its members that are objects, beside whose own members items may have others, and where it repeats ids
 */
export function sentFields(
  routes: readonly InferredRoute[],
  { writes: { merges }, repeats }: Pick<Resource, 'writes' | 'repeats'>,
): SentFields | undefined {
  const writesBy = (methods: readonly string[]): readonly Written[] =>
    routes
      .filter(({ method }) => methods.includes(method))
      .flatMap(({ samples }) => samples.filter(({ status }) => status < 300))
      .flatMap(({ body, response }) =>
        isObject(body) && isObject(response) ? [{ body, item: withoutRepeated(response, repeats) }] : [],
      )
  const writes = writesBy(['POST', 'PUT'])
  if (writes.length === 0) return undefined
  const completes = completedLists(writesBy(['POST', 'PUT', 'PATCH']))
  const names = [...new Set(writes.flatMap(({ body }) => Object.keys(body)))]
  const isKept = (name: string): boolean =>
    writes.every(({ body, item }) => {
      if (!Object.hasOwn(body, name)) return true
      const [sent, kept] = [body[name], item[name]]
      if (Object.hasOwn(completes, name) && Array.isArray(sent)) return true
      return isLaidOver(sent, kept, name, merges)
    })
  const drops = names.filter((name) => !isKept(name))
  const renders = rendersOf(writesBy(['POST', 'PUT', 'PATCH']), drops)
  return { drops: drops.toSorted(), completes, unsent: alwaysMade(writes), renders }
}

// What was sent is all there, though members that are merged may have more.
function isLaidOver(sent: unknown, kept: unknown, path: string, merges: readonly string[]): boolean {
  return merges.includes(path) && isObject(sent) && isObject(kept)
    ? Object.entries(sent).every(([name, value]) => isLaidOver(value, kept[name], `${path}/${name}`, merges))
    : isDeepStrictEqual(kept, sent) || areSameNames(sent, kept)
}

// Lists of names are often sets, which have no order of their own.
function areSameNames(sent: unknown, kept: unknown): boolean {
  if (!Array.isArray(sent) || !Array.isArray(kept) || sent.length !== kept.length) return false
  const [some, others] = [new Set<unknown>(sent), new Set<unknown>(kept)]
  return some.size === sent.length && sent.every((each) => isScalar(each) && others.has(each))
}

/** What is made of members that items do not keep as they are sent, where that repeats them: `{ raw, html }` of a text. */
function rendersOf(writes: readonly Written[], drops: readonly string[]): ReadonlyMap<string, Template> {
  return new Map(
    drops.flatMap((name): (readonly [string, Template])[] => {
      const rows = writes.filter(({ body, item }) => isScalar(body[name]) && item[name] !== undefined)
      const template = findComputed(
        rows.map(({ body, item }) => ({ value: item[name], beside: { [name]: body[name] } })),
      )
      const isSure = new Set(rows.map(({ body }) => body[name])).size > 1
      return template === undefined || !isSure ? [] : [[name, template]]
    }),
  )
}

type Written = { readonly body: Item; readonly item: Item }

/** What fewer items have is not what all have. */
const MIN_ALIKE = 3

// What a server makes anew for each item is another in each, but for the time.
function alwaysMade(writes: readonly Written[]): ReadonlyMap<string, unknown> {
  const names = new Set(writes.flatMap(({ item }) => Object.keys(item)))
  return new Map(
    [...names].flatMap((name): [string, unknown][] => {
      const values = writes.flatMap(({ body, item }) => (Object.hasOwn(body, name) ? [] : [item[name]]))
      const [first] = values
      const isSame = first !== undefined && values.every((value) => isDeepStrictEqual(value, first))
      return isSame && values.length >= MIN_ALIKE && !holdsTime(first) ? [[name, first]] : []
    }),
  )
}

/**
 * The model of what a route writes where items keep what was sent: what else they have is required of it, and all that
 * every stored item has. What was always the same is so again, and what repeats other parts of the item repeats them.
 */
export const writtenModel = remembered(modelOfWritten, new WeakMap<StoredModel, Schema>())

function modelOfWritten({
  view: { method, path, samples, echoes, embedded, input },
  resource,
  model: stored,
  sent,
}: StoredModel): Schema {
  const [idField = ''] = resource.place.id
  const written = samples.filter(({ status, response }) => status < 300 && isObject(response))
  const items = written.map(({ response }) => response as Item)
  const model = schemaOfValues(items, 'stored')
  const isSent = (name: string): boolean =>
    sent?.drops.includes(name) !== true &&
    written.some(({ body }) => isObject(body) && Object.hasOwn(body, name))
  // What was sent is known when the rest is made.
  const known = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name === idField || isSent(name))),
  )
  const inPath = namesOf(path).filter((name) => !known.some((item) => Object.hasOwn(item, name)))
  const able = new Set(propertiesOf(input ?? {}).map(([name]) => name))
  const dropped = (sent?.drops ?? []).filter((name) => able.has(name) && !inPath.includes(name))
  const ofInput = [...inPath, ...dropped]
  const inputAt = (at: number): Readonly<Record<string, unknown>> => {
    const sample = written[at]
    const body = isObject(sample?.body) ? sample.body : {}
    const given = sample === undefined ? {} : { ...body, ...valuesInPath(path, sample) }
    return Object.fromEntries(ofInput.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  }
  // An id may be made of what is sent.
  const ids = items.map((item, at) => {
    const { [idField]: _id, ...beside } = { ...inputAt(at), ...known[at] }
    return { value: item[idField], beside }
  })
  const ofId = method !== 'POST' || isSent(idField) ? undefined : findComputed(ids)
  // What the id is made of is not made of it.
  const ofStored = new Map(
    propertiesOf(stored).map(([name, part]) => [
      name,
      ofId?.fields.includes(name) === true ? withoutLink(part) : part,
    ]),
  )
  const { merges } = resource.writes
  // What is not sent of an item that is there stays as it is.
  const isChange = method !== 'POST' && resource.writes.deeds.has(method)
  const properties = propertiesOf(model).map(([name, part]) => {
    const isDropped = sent?.drops.includes(name) === true
    const echo = echoes.find(
      ({ field, source }) =>
        field === name &&
        (source.in === 'path' ||
          (isDropped && source.in === 'body') ||
          (!isChange && !isSent(name) && source.in === 'user')),
    )
    if (echo !== undefined && name !== idField && isObject(part)) return [name, linkedTo(echo, part)] as const
    const rendered = able.has(name) ? sent?.renders.get(name) : undefined
    if (rendered !== undefined && isObject(part)) return [name, computedPart(rendered, part, [name])] as const
    const linked = ofStored.get(name)
    if (isObject(linked) && LINK in linked) return [name, linked] as const
    const usual = ofStored.get(name) ?? part
    if (name === idField)
      return [
        name,
        ofId !== undefined && isObject(usual) ? computedPart(ofId, usual, ofInput) : usual,
      ] as const
    if (isChange) {
      const unsent = resource.writes.deeds.get(method) === 'replace' ? unsentValues(written, name) : []
      const isReset = unsent.every((value) => value === null) || (able.has(name) && areSame(unsent))
      return [name, isReset ? withUnsent(usual, unsent, false) : usual] as const
    }
    const same = sent?.unsent.get(name)
    if (isSent(name)) {
      const values = same === undefined ? unsentValues(written, name) : [same]
      const within = merges.includes(name) && values.length === 0
      return [
        name,
        within ? partlySent(usual, sentParts(written, name)) : withUnsent(usual, values, same !== undefined),
      ] as const
    }
    if (same !== undefined) return [name, { const: same }] as const
    const values = items.flatMap((item, at) =>
      item[name] === undefined ? [] : [{ value: item[name], beside: { ...inputAt(at), ...known[at] } }],
    )
    const template = findComputedByCase(values)
    if (template !== undefined && isObject(part))
      return [name, computedPart(template, part, ofInput)] as const
    const made = madePart(
      values.map(({ value }) => value),
      usual,
    )
    return [name, isKnown(made) ? made : (usuallyMade(written, name) ?? made)] as const
  })
  // What an item has within of the user who made it.
  const ofUser = isChange
    ? []
    : echoes.filter(
        ({ field, source }) =>
          source.in === 'user' && field.includes('.') && !isSent(field.slice(0, field.indexOf('.'))),
      )
  const linked = attachLinks(
    openOutput({ properties: Object.fromEntries(properties) }, ofUser, undefined, ''),
    ofUser.map(linkOfEcho),
  )
  // What every written item had is all that is known of the next one.
  const always =
    items.length === 0
      ? []
      : Object.keys(items[0] ?? {}).filter((name) => items.every((item) => Object.hasOwn(item, name)))
  const isMade = (name: string): boolean =>
    !isSent(name) || sent?.unsent.has(name) === true || unsentValues(written, name).length > 0
  const own = always.filter((name) => name === idField || isMade(name))
  const isHidden = (name: string): boolean => embedded?.members[name]?.hidden === true
  const required = [...new Set([...own, ...requiredOf(stored)])].filter((name) => !isHidden(name))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries([...ofStored].filter(([name]) => required.includes(name))),
      ...Object.fromEntries(propertiesOf(linked)),
    },
    ...(required.length > 0 && { required }),
    ...(SEEN in model && { [SEEN]: model[SEEN] }),
  }
}

/** An input whose fields are what stored items may have there, where requests had them as null alone. */
export function withStored(input: Schema, stored: StoredModel | undefined): Schema {
  if (stored === undefined) return input
  const known = new Map(propertiesOf(stored.model))
  return changePart(input, stored.resource.place.body, (item) => {
    const properties = propertiesOf(item).map(([name, part]) => [
      name,
      part === true && known.has(name) ? known.get(name) : part,
    ])
    return { ...item, properties: Object.fromEntries(properties) as Schema }
  })
}

function withoutLink(part: SchemaOrBoolean): SchemaOrBoolean {
  if (!isObject(part)) return part
  const { [LINK]: _link, ...plain } = part
  return plain
}

function linkedTo(echo: InferredRoute['echoes'][number], { type }: Schema): Schema {
  return { ...(type !== undefined && { type }), [LINK]: linkOfEcho(echo).link }
}

function sentParts(written: readonly Sample[], name: string): readonly SentPart[] {
  return written.flatMap(({ body, response }) =>
    isObject(body) && isObject(response) ? [{ sent: body[name], kept: response[name] }] : [],
  )
}

function areSame([first, ...others]: readonly unknown[]): boolean {
  return others.every((each) => isDeepStrictEqual(each, first))
}

// What items have that were made without being sent the field.
function unsentValues(written: readonly Sample[], name: string): readonly unknown[] {
  return written.flatMap(({ body, response }) =>
    isObject(body) && !Object.hasOwn(body, name) && isObject(response) ? [response[name]] : [],
  )
}
