import { remembered } from '../../../engine/lazy.ts'
import type { Schema, SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { successOf } from '../choose-response.ts'
import { essenceOf, mediaKindOf } from '../../../media-type.ts'
import { listShapeOf } from '../../../engine/list-shape.ts'
import {
  idFieldOf,
  singularOf,
  type FieldModels,
  type IdEvidence,
  itemShapeOf,
  type ItemShape,
} from './item-shape.ts'

/** Paths of a description that together speak of stored items: `/pets` and `/pets/{petId}`. */
export interface Resource {
  /** The collection's path. */
  readonly template: string
  /** The parameter at the end of an item's path. */
  readonly parameter: string
  readonly evidence: IdEvidence
  /** The field that holds an item's id; `undefined` where only its path knows it. */
  readonly idField: string | undefined
  readonly idSchema: SchemaOrBoolean
  /** What is stored: the model that says most of an item. */
  readonly shape: ItemShape
  /** Whether a POST to the collection creates an item. */
  readonly isPostedTo: boolean
  /** Whether a GET of the collection lists its items. */
  readonly isListed: boolean
}

const LAST_PARAMETER = /\/\{([^{}]+)\}$/

/**
 * The resource a route belongs to, if its path has the shape of one: items have a path of their own below the
 * collection's, and there is a way to create one and a way to read it. Anything else stays generated.
 */
export function resourceOf(route: RouteDefinition, routes: readonly RouteDefinition[]): Resource | undefined {
  const { byTemplate, found } = resourcesOf(routes)
  const template = templateOf(route.path)
  if (!found.has(template)) found.set(template, findResource(template, byTemplate.get(template) ?? []))
  return found.get(template)
}

// Descriptions have thousands of routes, and the resource of each is looked up.
const resourcesOf = remembered((routes: readonly RouteDefinition[]) => {
  const byTemplate = new Map<string, RouteDefinition[]>()
  for (const route of routes) {
    const template = templateOf(route.path)
    const group = byTemplate.get(template)
    if (group === undefined) byTemplate.set(template, [route])
    else group.push(route)
  }
  return { byTemplate, found: new Map<string, Resource | undefined>() }
}, new WeakMap())

function templateOf(path: string): string {
  return path.replace(LAST_PARAMETER, '') || '/'
}

/** The model of a route's successful answer, JSON before any other. */
function answerModelOf({ operation, options }: RouteDefinition): Schema | undefined {
  if (operation === undefined) return options.output
  const content = [...successOf(operation, options.status).rule.content]
  const json =
    content.find(([type]) => essenceOf(type) === 'application/json') ??
    content.find(([type]) => mediaKindOf(type) === 'json') ??
    content.find(([, { model }]) => model !== undefined)
  return json?.[1].model
}

function findResource(template: string, routes: readonly RouteDefinition[]): Resource | undefined {
  const isItem = ({ path }: RouteDefinition): boolean => LAST_PARAMETER.test(path)
  const [items, own] = [routes.filter(isItem), routes.filter((route) => !isItem(route))]
  const [, parameter] = LAST_PARAMETER.exec(items[0]?.path ?? '') ?? []
  if (parameter === undefined) return undefined
  const evidence = evidenceOf(template, parameter, items)
  const [read, put, patch] = ['GET', 'PUT', 'PATCH'].map((method) => answerIn(items, method, evidence))
  const [list, post] = ['GET', 'POST'].map((method) => answerIn(own, method, evidence))

  const isPostedTo = post !== undefined && post.list === undefined
  const isListed = list?.list !== undefined
  if (!isPostedTo && put === undefined) return undefined
  if (read === undefined ? !isListed : read.item === undefined) return undefined

  const shapes = [read?.item, put?.item, patch?.item, post?.item, list?.list].filter(
    (each) => each !== undefined,
  )
  const [shape] = shapes
  const idField = idFieldOf(joinFields(shapes), evidence)
  // Nobody could request an item whose id no answer gives.
  const isKnown =
    idField !== undefined || post?.isScalar === true || (post !== undefined && hasLocation(post.route))
  if (shape === undefined || (isPostedTo && !isKnown)) return undefined
  const idSchema = idField === undefined ? true : joinFields(shapes).modelOf(idField)
  return { template, parameter, evidence, idField, idSchema, shape, isPostedTo, isListed }
}

// The first shape that has a field says what it is.
function joinFields(shapes: readonly ItemShape[]): FieldModels {
  const fields = new Map(shapes.toReversed().flatMap((shape) => [...shape.fields]))
  const modelOf = (name: string): Schema =>
    shapes.find((shape) => shape.fields.has(name))?.modelOf(name) ?? {}
  return { fields, modelOf }
}

/** What a route answers with: an item, a list of items, or a single value. */
export interface ItemAnswer {
  readonly route: RouteDefinition
  readonly item?: ItemShape | undefined
  readonly list?: ItemShape | undefined
  readonly isScalar: boolean
}

function answerIn(
  routes: readonly RouteDefinition[],
  method: string,
  evidence: IdEvidence,
): ItemAnswer | undefined {
  const route = routes.find((each) => each.method === method)
  return route && answerOf(route, evidence)
}

/** What a route's successful answer has of items. */
export function answerOf(route: RouteDefinition, evidence: IdEvidence): ItemAnswer {
  const model = answerModelOf(route)
  if (model === undefined) return { route, isScalar: false }
  const item = itemShapeOf(model, evidence)
  const list = listShapeOf(model, route.path)
  // An item may well hold a list; an object is about one where it has no id of its own.
  const isItem = item !== undefined && (list === undefined || idFieldOf(item, evidence) !== undefined)
  if (isItem) return { route, item, isScalar: false }
  return { route, list: list && itemShapeOf(list.item, evidence), isScalar: list === undefined }
}

function evidenceOf(template: string, parameter: string, items: readonly RouteDefinition[]): IdEvidence {
  const name = template.split('/').findLast((part) => !part.includes('{')) ?? ''
  const declared = items
    .flatMap(({ operation }) => operation?.parameters ?? [])
    .find((each) => each.name === parameter && each.in === 'path')
  return { parameter, singular: singularOf(name), model: declared?.model ?? true }
}

/** Whether a route's successful answer has a header that says where the new item is. */
export function hasLocation({ operation, options }: RouteDefinition): boolean {
  if (operation === undefined) return false
  const { headers } = successOf(operation, options.status).rule
  return headers.some(({ name }) => name.toLowerCase() === 'location')
}
