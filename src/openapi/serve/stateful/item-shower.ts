import { isDeepStrictEqual } from 'node:util'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import type { Generate } from '../../../engine/schema/generate.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Seed } from '../../../engine/random.ts'
import type { ItemForm, ItemRequest } from '../../../collections/item-operations.ts'
import type { Item } from '../../../state/store.ts'
import type { DescribedRoute } from '../described-route.ts'
import type { ResponseForm } from '../response-form.ts'
import { createIdForm, idFieldOf } from './id-field.ts'
import { createItemModel } from './item-model.ts'
import { itemShapeOf, type ItemShape } from './item-shape.ts'
import { itemScope, itemStream } from './item-stream.ts'
import type { Resource } from './resource.ts'

/** Shows a resource's items in one form of a route's answer. */
export type ShowItems = Pick<ItemForm, 'show' | 'showRemoved' | 'list'>

type Show = (item: Item, request: ItemRequest, id: string) => unknown

/** How items become the answers of a route in one form; without a form they have no body. */
export function createItemShower(
  route: DescribedRoute,
  resource: Resource,
  form: ResponseForm | undefined,
  seed: Seed,
): ShowItems {
  if (form === undefined) {
    return { show: () => undefined, showRemoved: () => undefined, list: () => ({ body: undefined }) }
  }
  const { evidence, idField } = resource
  let compiled: Generate | undefined
  const generate = (request: ItemRequest, id: string): unknown =>
    (compiled ??= compileGenerator(form.model))(itemStream(seed, request, id), itemScope(route, request))

  const showerOf = (shape: ItemShape): Show => {
    const model = createItemModel(shape)
    const named = createAlias(shape, resource)
    return (item, request, id) => {
      const own = model.own({ ...item, ...named(item) })
      return model.fits(own)
        ? own
        : model.complete(own, itemStream(seed, request, id), itemScope(route, request))
    }
  }
  const createShow = (): Show => {
    const shape = itemShapeOf(form.model, evidence)
    // An answer that is no object is the id, if it can be.
    if (shape === undefined) {
      const asId = createIdForm(form.model)
      return (item, request, id) => asId(idField === undefined ? id : item[idField]) ?? generate(request, id)
    }
    const show = showerOf(shape)
    const { field } = shape
    if (field === undefined) return show
    return (item, request, id) => ({ ...entriesOf(generate(request, id)), [field]: show(item, request, id) })
  }
  const createList = (): ItemForm['list'] => {
    const { pager } = form
    const shape = pager && itemShapeOf(pager.shape.item, evidence)
    if (pager === undefined || shape === undefined) return (request) => ({ body: generate(request, '') })
    const show = showerOf(shape)
    const showOne = (item: Item, request: ItemRequest): unknown => {
      const shown = show(item, request, idField === undefined ? '' : String(item[idField]))
      return shape.field === undefined ? shown : { [shape.field]: shown }
    }
    return (request) => {
      const { call, input, collection } = request
      const envelope = pager.shape.field === undefined ? {} : entriesOf(generate(request, ''))
      const kept = keptOf(route, request)
      const items = (offset: number, limit: number): unknown[] => {
        const page = kept?.slice(offset, offset + limit) ?? collection.page(offset, limit)
        return page.map((item) => showOne(item, request))
      }
      return pager.page(call, input, { total: kept?.length ?? collection.size, items }, envelope)
    }
  }
  const show = createShow()
  return {
    show,
    showRemoved: (item, request, id) => show({ ...item, ...REMOVED }, request, id),
    list: createList(),
  }
}

/** How an answer about an item that is no longer may say so. */
const REMOVED = { deleted: true, success: true, ok: true }

/** The items that `filterBy` keeps; `undefined` where all are asked for. */
function keptOf(
  { options: { filterBy } }: DescribedRoute,
  { input, collection }: ItemRequest,
): Item[] | undefined {
  const wanted = filterBy === undefined ? undefined : input[filterBy]
  if (filterBy === undefined || wanted === undefined || wanted === null) return undefined
  return [...collection.items()].filter((item) => isDeepStrictEqual(item[filterBy], wanted))
}

function entriesOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

// An answer may know the id by another name or type than the item does.
function createAlias(shape: ItemShape, { idField, evidence }: Resource): (item: Item) => Item {
  const named = idFieldOf(shape, evidence)
  if (named === undefined || idField === undefined) return () => ({})
  const asId = createIdForm(shape.modelOf(named))
  return (item) => {
    const id = item[idField] === undefined ? undefined : asId(item[idField])
    return id === undefined ? {} : { [named]: id }
  }
}
