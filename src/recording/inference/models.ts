import { isPatchDocument } from '../../collections/patch-document.ts'
import { requiredOf } from '../../engine/schema/keywords.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { mediaKindOf } from '../../media-type.ts'
import { withExamples } from './examples.ts'
import type { Folded } from './fold-paths.ts'
import { changePart } from './model-fields.ts'
import { observationOf } from '../../shape/observe.ts'
import type { Observation } from '../../shape/observation.ts'
import { orEmpty, schemaOf } from '../../shape/observed-schema.ts'
import { isScalar } from './values.ts'
import type { Sample } from './sample.ts'
import { isCalledInvalid, neededFields } from './field-issues.ts'
import { boundedFields, chosenFields, chosenFrom, isClosed } from './field-limits.ts'
import { readScalars } from './values.ts'

/** A field that came this often, and every time, is required. */
const MIN_ALWAYS = 3

/**
 * The model of a route's input: the path's parameters, and the fields of the query for GET, else of the body.
 * @param sent what is known of the item that bodies have, where they have one that is stored
 * @param ofPath the models of parameters of the path that are known
 * @returns `undefined` for a route that takes none
 */
export function inputModel(
  method: string,
  folded: Folded,
  accepted: readonly Sample[],
  sent?: SentItem,
  ofPath: Readonly<Record<string, Schema>> = {},
): Schema | undefined {
  const path = folded.parameters.map((name): [string, SchemaOrBoolean] => [
    name,
    ofPath[name] ?? textsModel(folded.samples.map((sample) => folded.values(sample)[name] ?? '')),
  ])
  const isStored = method !== 'GET' && sent !== undefined
  const own = method === 'GET' ? queryFields(accepted) : bodyFields(accepted, isStored ? 'bodies' : 'inputs')
  const refused = folded.samples.filter(isCalledInvalid)
  const { named, spared } = neededFields(folded.samples)
  // A query parameter is needed where leaving it out was refused. A change names what it changes, and no more.
  const isNeeded = ({ name, times }: Field): boolean =>
    method === 'GET'
      ? refused.some(({ query }) => !Object.hasOwn(query, name))
      : named.has(name) || (times >= MIN_ALWAYS && !spared.has(name) && (method !== 'PATCH' || isStored))
  const always = own.filter((field) => field.times === accepted.length && isNeeded(field))
  const required = always.map(({ name }) => name)
  const chosen = chosenFields(folded.samples)
  const bounds = new Map([...(sent?.limits ?? []), ...boundedFields(folded.samples)])
  const ofField = ({ name, model: own }: Field): SchemaOrBoolean => {
    const model = sent?.isDecimal(name) === true ? toDecimal(own) : own
    return chosen.has(name)
      ? chosenFrom(model, [...valuesSent(name, accepted), ...(sent?.values(name) ?? [])], chosen.get(name))
      : isObject(model)
        ? { ...model, ...bounds.get(name) }
        : model
  }
  const fields = [
    ...own.map((field): [string, SchemaOrBoolean] => [
      field.name,
      !isStored || required.includes(field.name) ? ofField(field) : orEmpty(ofField(field)),
    ]),
    ...path,
  ]
  if (fields.length === 0) return undefined
  if (method !== 'GET' && accepted.some(sendsContent) && !own.some(({ name }) => name === CONTENT))
    fields.push([CONTENT, true])
  const isStrict = method !== 'GET' && isClosed(folded.samples)
  // What items have may be sent, though nobody did.
  const others = isStrict
    ? accepted.flatMap(({ response }) => (isObject(response) ? Object.keys(response) : []))
    : []
  const shown = Object.fromEntries(others.map((name): [string, SchemaOrBoolean] => [name, true]))
  const properties = { ...shown, ...Object.fromEntries(fields) }
  const input = withRequired(
    { type: 'object', properties, ...(isStrict && { additionalProperties: false }) },
    required,
  )
  const isMade = isStored && !sent.isChange && sent.body.length > 0
  const enclosed = isMade ? enclosedModel(method, folded, accepted, sent) : undefined
  const opened = isStored
    ? changePart(input, sent.body, (item) => enclosed ?? openItem(item, sent, refused))
    : input
  return withRequired(opened, [...requiredOf(opened), ...folded.parameters])
}

// Whole numbers that were sent of what others have as fractions.
function toDecimal(model: SchemaOrBoolean): SchemaOrBoolean {
  if (!isObject(model)) return model
  const { multipleOf: _multipleOf, type, ...rest } = model
  const types = [type ?? []].flat().map((each: unknown) => (each === 'integer' ? 'number' : each))
  return types.length === 0 ? rest : { ...rest, type: types.length === 1 ? types[0] : types }
}

// The model of an item within bodies, by what was sent and refused of it.
function enclosedModel(
  method: string,
  folded: Folded,
  accepted: readonly Sample[],
  sent: SentItem,
): Schema | undefined {
  const itemsOf = (samples: readonly Sample[]): readonly Sample[] =>
    samples.flatMap((sample) => {
      const body = memberAt(sample.body, sent.body)
      return isObject(body) ? [{ ...sample, body }] : []
    })
  const own = { ...folded, parameters: [], samples: itemsOf(folded.samples) }
  return inputModel(method, own, itemsOf(accepted), { ...sent, body: [] })
}

function valuesSent(name: string, accepted: readonly Sample[]): readonly unknown[] {
  return accepted.flatMap(({ method, query, body }) => {
    const said: unknown = method === 'GET' ? query : body
    return isObject(said) ? [said[name]] : []
  })
}

/** What is known of the items that bodies have. */
export interface SentItem {
  /** The names that lead to the item in bodies. */
  readonly body: readonly string[]
  /** Whether requests change an item that is there, so that what does not change may be left out. */
  readonly isChange: boolean
  /** Fields that some known item has not, or has as null. */
  readonly empty: ReadonlySet<string>
  /** The values of a field in all that was there from the beginning. */
  readonly values: (name: string) => readonly unknown[]
  /** Whether some item has a fraction in a field. */
  isDecimal(name: string): boolean
  /** What is refused of what makes an item, as keywords of JSON Schema by fields. */
  readonly limits?: ReadonlyMap<string, Schema>
}

// A field that items are without can be left out, unless that was refused; it may be null either way. Its names are no
// data, though a change sends now one of them and now another.
function openItem(
  { additionalProperties: others, ...item }: Schema,
  { body, isChange, empty }: SentItem,
  refused: readonly Sample[],
): Schema {
  const isRefused = (name: string): boolean =>
    refused.some((sample) => {
      const sent = memberAt(sample.body, body)
      return isObject(sent) && !Object.hasOwn(sent, name)
    })
  const required = requiredOf(item).filter((name) => !isChange && (!empty.has(name) || isRefused(name)))
  const properties = propertiesOf(item).map(([name, model]): [string, SchemaOrBoolean] => [
    name,
    required.includes(name) && !empty.has(name) ? model : orEmpty(model),
  ])
  const open = { ...item, ...(others === false && { additionalProperties: false }) }
  return withRequired({ ...open, properties: Object.fromEntries(properties) }, required)
}

function withRequired({ required: _required, ...model }: Schema, names: readonly string[]): Schema {
  return names.length === 0 ? model : { ...model, required: [...new Set(names)] }
}

interface Field {
  readonly name: string
  readonly model: SchemaOrBoolean
  /** In how many of the requests it came. */
  readonly times: number
}

function queryFields(samples: readonly Sample[]): Field[] {
  const entries = samples.flatMap(({ query }) => Object.entries(query))
  return [...groupBy(entries, ([name]) => name)].map(([name, own]) => {
    const item = textsModel(own.flatMap(([, value]) => value))
    const isList = own.some(([, value]) => typeof value !== 'string')
    return { name, times: own.length, model: isList ? { type: 'array', items: item } : item }
  })
}

// What names changes one by one has no fields of an item.
function bodyFields(samples: readonly Sample[], purpose: 'inputs' | 'bodies'): Field[] {
  const sent = samples.map(({ body }) => body)
  // A list of values is the field that all of a body has.
  const isList = sent.length > 0 && sent.every((body) => Array.isArray(body) && body.every(isScalar))
  const bodies = isList ? sent.map((body) => ({ body })) : sent
  const { objects } = observationOf(bodies.filter((body) => isObject(body) && !isPatchDocument(body)))
  return [...objects.fields].map(([name, part]) => ({
    name,
    model: schemaOf(part, purpose, name),
    times: part.count,
  }))
}

function textsModel(texts: readonly string[]): SchemaOrBoolean {
  return schemaOf(observationOf(readScalars(texts)), 'inputs')
}

/** The answers of a route as an output model. */
export interface OutputModel {
  /**
   * How the items stand in the answer: `page` is `items, total, limit, offset`, `slice` is `items, next_page_token`, and
   * `paged` any other way to answer pages.
   */
  readonly form: 'single' | 'list' | 'page' | 'slice' | 'paged'
  /** Of one item, or of the whole answer where it is single or paged. */
  readonly model: Schema
  /** The field that holds the list of a paged answer; absent where the answer is the list. */
  readonly list?: string
}

/** The fields of the envelopes that have a form of their own. */
const ENVELOPES = { page: 'items,limit,offset,total', slice: 'items,next_page_token' } as const

/** @returns `undefined` where no answer has a JSON body */
export function outputModel(answered: readonly Sample[]): OutputModel | undefined {
  const bodies = bodiesOf(answered)
  if (bodies.length === 0) return undefined
  if (bodies.every((body) => Array.isArray(body))) return { form: 'list', model: itemModel(bodies) }
  for (const form of ['page', 'slice'] as const) {
    const lists = listsIn(bodies, ENVELOPES[form])
    if (lists !== undefined) return { form, model: itemModel(lists) }
  }
  return { form: 'single', model: wholeOf(bodies) }
}

// The items of one answer prove together no more than one answer does.
function itemModel(lists: readonly (readonly unknown[])[]): Schema {
  const { items } = seenIn(lists).lists
  const model = items === undefined ? true : schemaOf(items)
  return isObject(model) ? withExamples(model, lists.flat()) : {}
}

/** The model of whole answers, whatever form they have; `undefined` where there are none. */
export function wholeModel(answered: readonly Sample[]): Schema | undefined {
  const bodies = bodiesOf(answered)
  return bodies.length === 0 ? undefined : wholeOf(bodies)
}

function wholeOf(bodies: readonly unknown[]): Schema {
  const model = schemaOf(seenIn(bodies))
  return isObject(model) ? withExamples(model, bodies) : {}
}

/** What was seen in lists of answers, by the first of them. */
const observed = new WeakMap<object, { readonly all: readonly unknown[]; readonly seen: Observation }>()

// The answers of a path are looked at for its pages, for its items and as a whole.
function seenIn(all: readonly unknown[]): Observation {
  const [first] = all
  if (typeof first !== 'object' || first === null) return observationOf(all)
  const known = observed.get(first)
  const isKnown = known?.all.length === all.length && known.all.every((value, at) => value === all[at])
  if (known !== undefined && isKnown) return known.seen
  const seen = observationOf(all)
  observed.set(first, { all, seen })
  return seen
}

/** What fields of an item begin with, named from the answer's root. */
export function itemPrefix({ form }: OutputModel): string {
  if (form === 'list') return '[].'
  return form === 'page' || form === 'slice' ? 'items[].' : ''
}

function bodiesOf(answered: readonly Sample[]): readonly unknown[] {
  return answered.map(({ response }) => response).filter((body) => body !== undefined)
}

// The lists of envelopes that have just these fields.
function listsIn(bodies: readonly unknown[], fields: string): readonly (readonly unknown[])[] | undefined {
  const lists = bodies.flatMap((body) => {
    const isEnvelope = isObject(body) && Object.keys(body).toSorted().join(',') === fields
    return isEnvelope && Array.isArray(body['items']) ? [body['items'] as readonly unknown[]] : []
  })
  return lists.length === bodies.length ? lists : undefined
}

/** The input field that a text is, or bytes are. */
const CONTENT = 'body'

function sendsContent({ body, headers }: Sample): boolean {
  const { 'content-type': type, 'content-length': length } = headers
  const kind = type === undefined ? 'json' : mediaKindOf(type)
  return (kind === 'text' || kind === 'binary') && !isObject(body) && length !== '0'
}
