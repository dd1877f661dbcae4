import { groupBy } from '../../../grouping.ts'
import { remembered } from '../../../engine/lazy.ts'
import type { Schema, SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import type { MediaType } from '../../../engine/operation.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { bodyFieldsOf, givenIn } from './body-fields.ts'
import { hasLocation, successOf } from '../choose-response.ts'
import { shownMedia } from '../shown-media.ts'
import { essenceOf, mediaKindOf } from '../../../media-type.ts'
import { listShapeOf } from '../../../engine/list-shape.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import {
  collectionPath,
  namesOf,
  pathShape,
  segmentsOf,
  splitItemPath,
} from '../../../routing/path-template.ts'
import {
  componentOf,
  evidenceOf,
  idPathOf,
  type IdEvidence,
  itemShapeOf,
  type ItemShape,
} from './item-shape.ts'
import { joinFields, modelIn } from './joined-fields.ts'
import { singularOf } from './path-words.ts'
import { areAlike, isListedOne } from './listed-one.ts'

/** Paths of a description that together speak of stored items: `/pets` and `/pets/{petId}`. */
export interface Resource {
  /** The collection's path. */
  readonly template: string
  /** The parameter at the end of an item's path. */
  readonly parameter: string
  readonly evidence: IdEvidence
  /** The names of the parameters in the collection's path. */
  readonly parents: readonly string[]
  /** The host that its routes are on, if they name one. */
  readonly host: string
  /** The field that holds an item's id; `undefined` where it lies deeper, or only its path knows it. */
  readonly idField: string | undefined
  /** The names that lead to the id within an item; `undefined` where only its path knows it. */
  readonly idPath: readonly string[] | undefined
  readonly idSchema: SchemaOrBoolean
  /** What is stored: the model that says most of an item. */
  readonly shape: ItemShape
  /** What the models of its items are called. */
  readonly components: ReadonlySet<string>
  /** The routes that show its items, one and many. */
  readonly read: ItemAnswer | undefined
  readonly list: ItemAnswer | undefined
  /** Whether a POST to the collection creates an item, and the route of that. */
  readonly isPostedTo: boolean
  readonly createdBy?: RouteDefinition | undefined
  /** Whether a GET of the collection lists its items. */
  readonly isListed: boolean
  /** Whether its items have paths below other items alone. */
  readonly isWhole?: boolean | undefined
}

/**
 * The resource a route belongs to, if its path has the shape of one: items have a path of their own below the
 * collection's, a way to read them, and an id that they show. Anything else stays generated.
 */
export function resourceOf(route: RouteDefinition, routes: readonly RouteDefinition[]): Resource | undefined {
  return resourceAt(shapeOfCollection(route), routes) ?? listedAt(shapeOf(route), routes)
}

// `/messages/{logId}` lists the items that `/messages/{logId}/{id}` shows.
function listedAt(shape: string, routes: readonly RouteDefinition[]): Resource | undefined {
  if (!resourcesOf(routes).byShape.has(shape)) return undefined
  const resource = resourceAt(shape, routes)
  return resource?.isListed === true ? resource : undefined
}

function resourceAt(shape: string, routes: readonly RouteDefinition[]): Resource | undefined {
  const { byShape, belowOthers, found } = resourcesOf(routes)
  if (!found.has(shape)) {
    const group = byShape.get(shape) ?? []
    const above = byShape.get(shape.replace(/\/\{\}$/, '')) ?? []
    const own = above.filter((each) => shapeOf(each) === shape)
    found.set(shape, findResource(group, own) ?? findWhole(group, belowOthers))
  }
  return found.get(shape)
}

/** All resources of a description, in the order of their first routes. */
export function allResources(routes: readonly RouteDefinition[]): readonly Resource[] {
  return [...resourcesOf(routes).byShape.keys()].flatMap((shape) => resourceAt(shape, routes) ?? [])
}

// Descriptions have thousands of routes, and the resource of each is looked up.
const resourcesOf = remembered((routes: readonly RouteDefinition[]) => {
  const byShape = groupBy(routes, shapeOfCollection)
  const below = [...byShape].filter(([shape]) => BELOW_OTHERS.test(shape))
  const belowOthers = groupBy(below, ([shape]) => hostAndNoun(shape))
  return { byShape, belowOthers, found: new Map<string, Resource | undefined>() }
}, new WeakMap())

// Such as `api.example /posts/{}/comments`.
const BELOW_OTHERS = /\/\{\}\/[^/]+$/

function hostAndNoun(shape: string): string {
  return `${shape.slice(0, shape.indexOf(' '))} ${shape.slice(shape.lastIndexOf('/') + 1)}`
}

// Paths that differ in the names of their parameters alone are the same.
const shapeOfCollection = remembered(
  ({ path, options: { host = '' } }: RouteDefinition) => `${host} ${pathShape(collectionPath(path))}`,
  new WeakMap(),
)

function shapeOf({ path, options: { host = '' } }: RouteDefinition): string {
  return `${host} ${pathShape(path)}`
}

/** A route's successful answer in one media type, JSON before any other. */
export function answerMediaOf(
  route: RouteDefinition | undefined,
): { readonly type: string; readonly media: MediaType } | undefined {
  if (route?.operation === undefined) return undefined
  const content = [...successOf(route.operation, route.options.status).rule.content]
  const found =
    content.find(([type]) => essenceOf(type) === 'application/json') ??
    content.find(([type]) => mediaKindOf(type) === 'json') ??
    content.find(([, { model }]) => model !== undefined)
  return (
    found && { type: found[0], media: mediaKindOf(found[0]) === 'json' ? shownMedia(found[1]) : found[1] }
  )
}

function answerModelOf(route: RouteDefinition): Schema | undefined {
  return route.operation === undefined ? route.options.output : answerMediaOf(route)?.media.model
}

/** @param others routes at the collection's path, where that ends in a parameter itself */
function findResource(
  routes: readonly RouteDefinition[],
  others: readonly RouteDefinition[] = [],
): Resource | undefined {
  const isItem = ({ path }: RouteDefinition): boolean => splitItemPath(path) !== undefined
  const items = routes.filter(isItem)
  const { collection: template, parameter } = splitItemPath(items[0]?.path ?? '') ?? { collection: '' }
  if (parameter === undefined) return undefined
  const evidence = evidenceOf(
    template,
    parameter,
    items,
    () => listedIn(routes),
    () => givenIn(routes),
  )
  const answers = ['GET', 'PUT', 'PATCH'].map((method) => answerIn(items, method, evidence))
  const isOfOthers = listsItem(answerIn(others, 'GET', evidence), answers[0])
  const own = isOfOthers ? others : routes.filter((route) => !isItem(route))
  const shown = answers[0]?.item?.component
  const [list, made] = ['GET', 'POST'].map((method) => answerIn(own, method, evidence, shown))
  // Some answer with a list throughout, and have the requested item alone in it.
  const alone = (answer: ItemAnswer | undefined): ItemAnswer | undefined =>
    answer?.item === undefined && isListedOne(answer?.list, list?.list, items, evidence)
      ? answer && { ...answer, item: answer.list, isListed: true }
      : answer
  const [read, put, patch] = answers.map(alone)
  const post = read?.isListed === true || createsOne(made, evidence) ? alone(made) : made

  const isPostedTo = post !== undefined && (post.list === undefined || post.isListed === true)
  const isListed = list?.list !== undefined
  if (read === undefined ? !isListed : read.item === undefined) return undefined

  const shapes = [read?.item, put?.item, patch?.item, post?.item, list?.list].filter(
    (each) => each !== undefined,
  )
  const [shape] = shapes
  const joined = joinFields(shapes)
  const idPath = idPathOf(joined, evidence)
  // Nobody could request an item whose id no answer gives.
  const isKnown =
    idPath !== undefined ||
    (isPostedTo && (post.isScalar || hasLocation(post.route))) ||
    (!isPostedTo && put !== undefined)
  if (shape === undefined || !isKnown) return undefined
  return {
    template,
    parameter,
    parents: namesOf(template),
    host: routes[0]?.options.host ?? '',
    evidence,
    idField: idPath?.length === 1 ? idPath[0] : undefined,
    idPath,
    idSchema: idPath === undefined ? true : modelIn(joined, idPath),
    shape,
    components: new Set(shapes.flatMap(({ component }) => component ?? [])),
    read,
    list,
    isPostedTo,
    createdBy: isPostedTo ? post.route : undefined,
    isListed,
  }
}

// Some answer what they created as a list that has it alone; what takes a list creates several.
function createsOne(made: ItemAnswer | undefined, evidence: IdEvidence): boolean {
  const operation = made?.route.operation
  if (operation === undefined || made?.list === undefined) return false
  const { fields } = made.list
  const isCreated = successOf(operation, made.route.options.status).status === 201
  return isCreated && bodyFieldsOf(operation, [evidence.singular]).some((name) => fields.has(name))
}

// What the model of the items is called that the collection lists.
function listedIn(routes: readonly RouteDefinition[]): string | undefined {
  const list = routes.find(({ method, path }) => method === 'GET' && splitItemPath(path) === undefined)
  const model = list && answerModelOf(list)
  const shape = model && listShapeOf(model, list?.path ?? '')
  return shape && componentOf(shape.item)
}

function listsItem(many: ItemAnswer | undefined, one: ItemAnswer | undefined): boolean {
  return many?.list !== undefined && one?.item !== undefined && areAlike(one.item, many.list)
}

// `/comments` lists the comments of all posts, where `/posts/{postId}/comments/{id}` alone is the path of one.
function findWhole(
  routes: readonly RouteDefinition[],
  belowOthers: ReadonlyMap<string, readonly (readonly [string, readonly RouteDefinition[]])[]>,
): Resource | undefined {
  const [own] = routes
  const list = routes.find(({ method }) => method === 'GET')
  if (own === undefined || list === undefined || namesOf(own.path).length > 0) return undefined
  const { path } = own
  const groups = belowOthers.get(hostAndNoun(shapeOfCollection(own))) ?? []
  const parts = groups.flatMap(([, group]) => findResource(group) ?? [])
  const [part, ...others] = parts.filter(({ parents }) => parents.length === 1)
  const post = routes.find(({ method }) => method === 'POST')
  const answer = part && answerOf(list, part.evidence)
  if (part === undefined || others.length > 0 || answer?.list === undefined || !namesParent(part))
    return undefined
  const { component } = answer.list
  if (component === undefined || !part.components.has(component)) return undefined
  const isPostedTo = post !== undefined && answerOf(post, part.evidence).list === undefined
  return { ...part, template: path, parents: [], list: answer, isPostedTo, isListed: true, isWhole: true }
}

/** Whether a field of a resource's items says below which other item they are. */
function namesParent({ template, parents, shape }: Resource): boolean {
  const [parameter = ''] = parents
  const above = segmentsOf(template.slice(0, template.indexOf(`{${parameter}}`))).at(-1) ?? ''
  const noun = plainName(singularOf(above))
  const names = new Set([plainName(parameter), noun, `${noun}id`].filter((name) => name !== 'id'))
  return [...shape.fields.keys()].some((name) => {
    const isScalar = !['object', 'array'].includes(kindOf(shape.modelOf(name)))
    return isScalar && names.has(plainName(name))
  })
}

/** What a route answers with: an item, a list of items, or a single value. */
export interface ItemAnswer {
  readonly route: RouteDefinition
  readonly item?: ItemShape | undefined
  readonly list?: ItemShape | undefined
  readonly isScalar: boolean
  /** Whether it has the item alone in a list. */
  readonly isListed?: boolean
}

function answerIn(
  routes: readonly RouteDefinition[],
  method: string,
  evidence: IdEvidence,
  shown?: string,
): ItemAnswer | undefined {
  const route = routes.find((each) => each.method === method)
  return route && answerOf(route, evidence, shown)
}

/** What a route's successful answer has of items. @param shown what the model of a single item is called */
export function answerOf(route: RouteDefinition, evidence: IdEvidence, shown?: string): ItemAnswer {
  const model = answerModelOf(route)
  if (model === undefined) return { route, isScalar: false }
  const item = itemShapeOf(model, evidence)
  const list = listShapeOf(model, route.path)
  // An item may well hold a list; an object is about one where it has no id of its own. Beside the list of a collection,
  // what lies in metadata, or is called neither `id` nor as the path does, is said of the page, and so is all beside a
  // list of what the paths of items show.
  const idPath = item && idPathOf(item, evidence)
  const isOfShown =
    shown !== undefined && list !== undefined && componentOf(list.item) === shown && item?.component !== shown
  const isOther = isOfShown || (!isStrong(idPath?.at(-1) ?? '', evidence) && hasId(list, evidence))
  const isOfPage =
    ((idPath?.length ?? 0) > 1 || isOther) &&
    route.method === 'GET' &&
    splitItemPath(route.path) === undefined
  const isItem = item !== undefined && (list === undefined || (idPath !== undefined && !isOfPage))
  if (isItem) return { route, item, isScalar: false }
  return { route, list: list && itemShapeOf(list.item, evidence), isScalar: list === undefined }
}

function isStrong(field: string, { parameter }: IdEvidence): boolean {
  return ['id', plainName(parameter)].includes(plainName(field))
}

function hasId(list: ReturnType<typeof listShapeOf>, evidence: IdEvidence): boolean {
  const item = list && itemShapeOf(list.item, evidence)
  return item !== undefined && idPathOf(item, evidence) !== undefined
}
