import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { ItemReference } from '../../engine/route-options.ts'
import { withEmbedded } from './embedded.ts'
import { withExamples } from './examples.ts'
import type { Completes } from './completed-lists.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { InferredRoute } from './infer-route.ts'
import { changePart, openOutput, openTo } from './model-fields.ts'
import { itemPrefix, outputModel, type OutputModel } from './models.ts'
import { mergeObservations } from '../../shape/observation.ts'
import { observationOf } from '../../shape/observe.ts'
import { type Purpose, schemaOf } from '../../shape/observed-schema.ts'
import { partAt } from '../../engine/list-shape.ts'
import { answerOf } from './answer-place.ts'
import { idIn, itemView } from './item-place.ts'
import { computedPart, findTemplate, type Template } from './templates.ts'
import { findEchoes } from './links.ts'
import { elsewhereOf, type Resource, wholeWriteOf } from './resources.ts'
import type { Sample } from './sample.ts'

/** The one model of a collection's items, from all that its routes answered and what it is seeded with. */
export function resourceModel(
  routes: readonly InferredRoute[],
  resource: Pick<Resource, 'seeds' | 'place'>,
): Schema {
  return routes.reduce(withEmbedded, plainModel(routes, resource))
}

function plainModel(
  routes: readonly InferredRoute[],
  { seeds, place }: Pick<Resource, 'seeds' | 'place'>,
): Schema {
  const answered = routes.flatMap(({ output, samples, status }) =>
    samples.filter((sample) => sample.status === status).flatMap(({ response }) => itemsIn(response, output)),
  )
  // What is written may be anything that a request has, whichever route reads it.
  const isWritten = routes.some(({ method }) => method !== 'GET')
  const model = withExamples(
    schemaOfItems(answered, [...seeds.values()].flat(), isWritten ? 'stored' : 'answers'),
    answered,
  )
  const opened = routes.reduce(
    (open, { echoes, input, output }) => openOutput(open, echoes, input, listPrefix(output)),
    model,
  )
  const [idField, ...deeper] = place.id
  if (idField === undefined) return withSentFields(opened, routes, undefined)
  if (deeper.length > 0) return withId(withSentFields(opened, routes, undefined), place.id, model)
  return withRepeatedIds(
    withSentFields(opened, routes, idField),
    [...[...seeds.values()].flat(), ...answered],
    idField,
  )
}

// Fields that repeat the ids of their items, such as the URL of an item, do so in new ones.
function withRepeatedIds(model: Schema, items: readonly Item[], idField: string): Schema {
  return propertiesOf(model).reduce((linked, [name]) => {
    const having = name === idField ? [] : items.filter((item) => Object.hasOwn(item, name))
    const ids = new Set(having.map((item) => item[idField]))
    const values = having.map((item) => ({ value: item[name], beside: { [idField]: item[idField] } }))
    const template = ids.size < MIN_IDS ? undefined : findTemplate(values)
    return template === undefined
      ? linked
      : changePart(linked, [name], (part) => computedPart(template, part))
  }, model)
}

/** What repeats ids repeats this many different ones. */
const MIN_IDS = 2

// What requests send is kept as it is, whatever those that were seen had in common. Ids stay what they are.
function withSentFields(
  model: Schema,
  routes: readonly InferredRoute[],
  idField: string | undefined,
): Schema {
  const inputs = routes.flatMap(({ method, input }) =>
    method === 'GET' || input === undefined ? [] : [input],
  )
  const opened = propertiesOf(openTo(model, inputs))
  if (opened.length === 0) return model
  const before = new Map(propertiesOf(model))
  const properties = opened.map(([name, part]): [string, SchemaOrBoolean] => {
    const id = name === idField ? before.get(name) : undefined
    return [name, isObject(id) ? toCounted(id) : part]
  })
  return { ...model, properties: Object.fromEntries(properties) }
}

function withId(opened: Schema, path: readonly string[], model: Schema): Schema {
  const id = partAt(model, path)
  return isObject(id) ? changePart(opened, path, () => toCounted(id)) : opened
}

// Whole numbers of items are counted.
function toCounted(id: Schema): Schema {
  return id['type'] === 'number' && id['multipleOf'] === 1 ? { type: 'integer' } : id
}

// The seeds stand in answers too, and together prove no more than one more of them does.
function schemaOfItems(answered: readonly unknown[], seeds: readonly unknown[], purpose: Purpose): Schema {
  const { items } = observationOf([seeds]).lists
  const model = schemaOf(mergeObservations([observationOf(answered), ...(items ? [items] : [])]), purpose)
  return isObject(model) ? model : {}
}

/** What items have of that which requests send. */
export interface SentFields {
  /** Members of bodies that items do not have as they are sent, such as passwords. */
  readonly drops: readonly string[]
  /** What is made of such members, where that repeats them. */
  readonly renders: ReadonlyMap<string, Template>
  /** What the entries of lists have besides what is sent of them. */
  readonly completes: Completes
  /** What is the same in all items that were made without being sent it. */
  readonly unsent: ReadonlyMap<string, unknown>
}

/** What the answers of a route that reads leave out of items. */
export interface HiddenParts {
  /** Pointers within items. */
  readonly hides: readonly string[]
  /** The parameter by whose value they leave out nothing. */
  readonly reveals?: Readonly<Record<string, string>>
}

/** The model of the items that a route reads or writes. */
export interface StoredModel {
  readonly model: Schema
  /** The collection that it is an item of. */
  readonly resource: Resource
  /** The route as if the item were all that is sent and answered. */
  readonly view: InferredRoute
  /** What items keep of that which their requests sent; absent where they keep nothing as it is. */
  readonly sent?: SentFields | undefined
  /** Members that things have of which requests say the id alone. */
  readonly refers?: Readonly<Record<string, ItemReference>>
  /** What items have wherever they are read and answers to what made them do not show, and what that is at first. */
  readonly later?: ReadonlyMap<string, unknown>
  /** What a request to all of the collection makes of each entry. */
  readonly makes?: StoredModel
  /** What answers leave out of items, within members too. */
  readonly hidden?: HiddenParts | undefined
  /** The fields that a list shows of its items, where single items have more. */
  readonly show?: readonly string[]
}

/** The routes of a resource: its items' own, and its collection's that answer items. */
export function routesOf(resource: Resource, routes: readonly InferredRoute[]): readonly InferredRoute[] {
  const { host, path, collection, place, writes } = resource
  const showsItems = (route: InferredRoute): boolean =>
    wholeWriteOf(resource, route) === undefined &&
    (route.path === path ||
      (route.path === collection && speaksOfItems(route)) ||
      makesOrShows(elsewhereOf(resource, route)))
  const own = routes.filter(
    (route) =>
      route.output !== undefined &&
      !route.isFailure &&
      route.isApart !== true &&
      route.host === host &&
      showsItems(route),
  )
  const others = own.filter(({ method }) => method !== 'DELETE')
  const names = new Set(
    others.flatMap(({ samples, output }) =>
      samples.flatMap((sample) =>
        itemsIn(itemView(sample, place).response, output).flatMap((item) => Object.keys(item)),
      ),
    ),
  )
  // What answers a deletion need not be the item.
  const isItem = (sample: Sample): boolean => {
    if (writes.absent?.indexes.has(sample.index) === true) return true
    const { response } = itemView(sample, place)
    const isNamed = isObject(response) && idIn(response, place) !== undefined
    return isNamed && Object.keys(response).every((name) => names.has(name))
  }
  const deletes = own.filter(
    ({ method, samples, status }) =>
      method === 'DELETE' && samples.filter((sample) => sample.status === status).every(isItem),
  )
  return [...others, ...deletes]
}

function makesOrShows(other: Elsewhere | undefined): boolean {
  return other?.isShown === true || other?.does === 'create'
}

function speaksOfItems({ method, output }: InferredRoute): boolean {
  return method === 'POST' || (method === 'GET' && output?.form !== 'single')
}

/** A route that makes several items at once, as if each had been sent by itself. */
export function makingEach(
  route: InferredRoute,
  { place }: Resource,
  makes: readonly Sample[],
): InferredRoute {
  return makingRoute({ ...route, method: 'POST', status: 201 }, makes, place)
}

/** A route as if the item were all that its requests send and its answers have. */
export function itemRoute(given: InferredRoute, resource: Resource): InferredRoute {
  const { place } = resource
  const { does, replaces, isShown, samples: moved = [] } = elsewhereOf(resource, given) ?? {}
  // What requests of other paths do does not follow from their method.
  const changes = replaces === true ? 'PUT' : 'PATCH'
  const method = does === 'change' ? changes : does === 'create' ? 'POST' : given.method
  const route = { ...given, method }
  if (does === 'create' && isShown === false) return makingRoute(route, moved, place)
  const { output, input, samples, status, echoes } = route
  const answer = answerOf(samples, status, place)
  if (output?.form !== 'single' || answer.length + place.body.length === 0) return route
  const views = samples.map((sample) => itemView(sample, place))
  const shown = views.filter((view) => view.status === status)
  const above = answer.map((name) => `${name}.`).join('')
  const ofPath = echoes.flatMap(({ field, ...echo }) =>
    field.startsWith(above) ? [{ ...echo, field: field.slice(above.length) }] : [],
  )
  const ofBody = findEchoes(shown, () => ({})).filter(
    (echo) => !ofPath.some(({ field }) => field === echo.field),
  )
  const sent = input && partAt(input, place.body)
  return {
    ...route,
    samples: views,
    output: outputModel(shown),
    input: isObject(sent) ? sent : input,
    echoes: [...ofPath, ...ofBody],
  }
}

// What it makes was seen later.
function makingRoute(
  route: InferredRoute,
  moved: readonly Sample[],
  place: Resource['place'],
): InferredRoute {
  const views = moved.map((sample) => itemView(sample, place)).filter(({ response }) => isObject(response))
  const made = views.filter(
    (view) => view.status === route.status && idIn(view.response, place) !== undefined,
  )
  return { ...route, samples: made, output: outputModel(made), echoes: findEchoes(made, () => ({})) }
}

type Item = Readonly<Record<string, unknown>>

// What fields of an item begin with, wherever the items stand.
function listPrefix(output: OutputModel | undefined): string {
  if (output?.form === 'paged') return `${output.list ?? ''}[].`
  return output === undefined ? '' : itemPrefix(output)
}

/** The objects that an answer lists. */
export function itemsIn(response: unknown, output: OutputModel | undefined): readonly Item[] {
  const { form = 'single', list } = output ?? {}
  if (form === 'single') return isObject(response) ? [response] : []
  const field = form === 'page' || form === 'slice' ? 'items' : list
  const items: unknown = field === undefined ? response : isObject(response) && response[field]
  return Array.isArray(items) ? items.filter((item): item is Item => isObject(item)) : []
}

/** The fields that all answers with one item have and a list of them never shows: what is left is what it shows. */
export function shownFields(
  { samples, output }: InferredRoute,
  others: readonly InferredRoute[],
): readonly string[] | undefined {
  const fine = samples.filter(({ status }) => status < 300)
  const listed = new Set(fine.flatMap(({ response }) => itemsIn(response, output)).flatMap(Object.keys))
  const single = others
    .filter((each) => each.output?.form === 'single' && each.method !== 'DELETE')
    .flatMap((each) => each.samples.filter(({ status }) => status === each.status))
    .flatMap(({ response }) => (isObject(response) ? [new Set(Object.keys(response))] : []))
  const [first = []] = single
  const hidden = [...first].filter((name) => !listed.has(name) && single.every((fields) => fields.has(name)))
  return listed.size === 0 || hidden.length === 0 ? undefined : [...listed].toSorted()
}
