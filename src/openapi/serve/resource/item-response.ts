import type { ItemForm, ItemRequest } from '../../../collections/item-operations.ts'
import { createSelect } from '../../../collections/select-items.ts'
import { listedFrom } from '../../../collections/paging/pager.ts'
import type { Seed } from '../../../engine/random.ts'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import type { Generate } from '../../../engine/schema/generate.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Item, Need } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResponseForm } from '../response-form.ts'
import { createIdForm, idFieldOf, itemShapeOf, type ItemShape } from './item-shape.ts'
import { itemScope, itemStreams } from './item-factory.ts'
import { createItemModel } from './item-model.ts'
import type { Resource } from './resource.ts'

/** Shows a resource's items in one form of a route's answer. */
export type ItemResponse = Pick<ItemForm, 'show' | 'showRemoved' | 'need' | 'list' | 'validate'>

type Show = (item: Item, request: ItemRequest, id: string) => unknown

/** How items become the answers of a route in one form; without a form they have no body. */
export function createItemResponse(
  route: OpenApiRoute,
  resource: Resource,
  form: ResponseForm | undefined,
  seed: Seed,
): ItemResponse {
  if (form === undefined) {
    return { show: () => NO_BODY, showRemoved: () => NO_BODY, need: () => NOTHING, list: () => NO_BODY }
  }
  const { evidence, idField } = resource
  const streamOf = itemStreams(seed)
  let compiled: Generate | undefined
  const generate = (request: ItemRequest, id: string): unknown =>
    (compiled ??= compileGenerator(form.model))(streamOf(request.path, id), itemScope(route, request))

  const showOf = (shape: ItemShape): Show => {
    const model = createItemModel(shape)
    const named = createAlias(shape, resource)
    return (item, request, id) => {
      const own = model.own({ ...item, ...named(item) })
      return model.fits(own)
        ? own
        : model.complete(own, streamOf(request.path, id), itemScope(route, request))
    }
  }
  const createShow = (): Show => {
    const shape = itemShapeOf(form.model, evidence)
    // An answer that is not an object is the id, if it can be.
    if (shape === undefined) {
      const asId = createIdForm(form.model)
      return (item, request, id) => asId(idField === undefined ? id : item[idField]) ?? generate(request, id)
    }
    const show = showOf(shape)
    const { field } = shape
    if (field === undefined) return show
    return (item, request, id) => ({ ...entriesOf(generate(request, id)), [field]: show(item, request, id) })
  }
  const createList = (): Pick<ItemForm, 'need' | 'list'> => {
    const { pager } = form
    const shape = pager && itemShapeOf(pager.shape.item, evidence)
    if (pager === undefined || shape === undefined)
      return { need: () => NOTHING, list: (request) => ({ body: generate(request, '') }) }
    const show = showOf(shape)
    const selectOf = createSelect(route)
    const showOne = (item: Item, request: ItemRequest): unknown => {
      const shown = show(item, request, idField === undefined ? '' : String(item[idField]))
      return shape.field === undefined ? shown : { [shape.field]: shown }
    }
    const need = ({ input, request }: ItemRequest): Need =>
      selectOf(input, request) === undefined ? pager.need(input) : ALL
    return {
      need,
      list(request, found) {
        const selected = selectOf(request.input, request.request)?.(found)
        const { items: kept, total } = selected ?? { items: found.items, total: found.size }
        const listed = listedFrom(kept, { total, need: need(request) })
        const items = (offset: number, limit: number): unknown[] =>
          listed.items(offset, limit).map((item) => showOne(item as Item, request))
        const envelope = pager.shape.field === undefined ? {} : entriesOf(generate(request, ''))
        return pager.page(request.request, request.input, { total: listed.total, items }, envelope)
      },
    }
  }
  const show = createShow()
  return {
    show: ({ value }, request, id) => ({ body: show(value, request, id) }),
    showRemoved: (item, request) => ({ body: show({ ...item, ...REMOVED }, request, request.id) }),
    ...createList(),
    validate: form.validate,
  }
}

const NO_BODY = { body: undefined }
const NOTHING: Need = { kind: 'nothing' }
const ALL: Need = { kind: 'all' }

/** How an answer about an item that is no longer may say so. */
const REMOVED = { deleted: true, success: true, ok: true }

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
