import { idText, type ItemForm, type ItemRequest } from '../../../collections/item-operations.ts'
import { lazy, remembered } from '../../../engine/lazy.ts'
import { listShapeOf, type ListShape } from '../../../engine/list-shape.ts'
import type { Seed } from '../../../engine/random.ts'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import { readsRequest } from '../../../engine/schema/linked.ts'
import { memberAt, withMember } from '../../../engine/schema/member.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import { StoredItem, type Found, type Item, type Need, type Store } from '../../../state/store.ts'
import { createBoundFields, REMOVED } from '../bound-fields.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResponseForm } from '../response-form.ts'
import { fieldModelsOf, idFieldOf, itemShapeOf, type ItemShape } from './item-shape.ts'
import { itemScope, itemStreams } from './item-factory.ts'
import { createItemModel, objectsOf } from './item-model.ts'
import { createIdForm } from './resource-ids.ts'
import { answerOf, type Resource } from './resource.ts'
import { ofLast, type SelectOf, type UsualOrder } from './list-select.ts'
import { VirtualItem } from './virtual-collection.ts'

/** Shows a resource's items in one form of a route's answer. */
export type ItemResponse = Pick<ItemForm, 'show' | 'showRemoved' | 'need' | 'list' | 'validate'>

/** Which of a collection's items a route is about; absent where it is about all. */
export type Keep = (request: ItemRequest) => (item: StoredItem) => boolean

type Show = (item: StoredItem, request: ItemRequest, id: string) => unknown

/** How items become the answers of a route in one form; without a form they have no body. */
export function createItemResponse(
  route: OpenApiRoute,
  resource: Resource,
  form: ResponseForm | undefined,
  {
    seed,
    dynamic,
    keep,
    selectOf: selectOfList,
    usualOrder,
    update,
    counts,
  }: {
    readonly seed: Seed
    readonly dynamic: boolean
    readonly keep?: Keep | undefined
    /** What reads the query of a list. */
    readonly selectOf: () => SelectOf
    readonly usualOrder: () => UsualOrder
    /** The field that says how many there are, where the answer shows none of them; empty where it is the answer. */
    readonly counts?: string | undefined
    /** Brings an item up to date with those that it refers to. */
    readonly update: (item: StoredItem, store: Store, request: ItemRequest) => StoredItem
  },
): ItemResponse {
  if (form === undefined) {
    return { show: () => NO_BODY, showRemoved: () => NO_BODY, need: () => NOTHING, list: () => NO_BODY }
  }
  const { evidence, idPath } = resource
  const streamOf = itemStreams(seed)
  const isOfRequest = readsRequest(form.model)
  const idOf = (item: Item): unknown => (idPath === undefined ? undefined : memberAt(item, idPath))
  const whole = lazy(() => compileGenerator(form.model))
  const generate = (request: ItemRequest, id: string): unknown =>
    whole()(streamOf(request.path, id), itemScope(route, request))
  // What there is beside the items, which is never null.
  const around = lazy(() => compileGenerator(objectsOf(form.model)))
  const bound = lazy(() => createBoundFields(route, fieldModelsOf(objectsOf(form.model))))
  const envelope = (request: ItemRequest, id: string, given: Entries): Entries => {
    const example = dynamic ? undefined : form.examples.usual?.value
    if (isObject(example)) return example
    const scope = { ...itemScope(route, request), given: { ...bound()?.(request.input), ...given } }
    return around()(streamOf(request.path, id), scope) as Entries
  }

  const showOf = (shape: ItemShape): Show => {
    const model = createItemModel(shape)
    const named = createAlias(shape, resource)
    const made = (item: Item, request: ItemRequest, id: string): unknown => {
      const own = model.own({ ...item, ...named(item) })
      return model.fits(own)
        ? own
        : model.complete(own, streamOf(request.path, id), itemScope(route, request))
    }
    if (isOfRequest) return (item, request, id) => made(item.value, request, id)
    // An item is never changed, only replaced, and so is what is shown of it.
    const shown = new WeakMap<StoredItem, unknown>()
    return (item, request, id) => {
      const known = shown.get(item)
      if (known !== undefined) return known
      const value = made(item.value, request, id)
      shown.set(item, value)
      if (item instanceof VirtualItem && isObject(value)) form.keep(value)
      return value
    }
  }
  // What is around a list in its answer.
  const besideList = ([field, ...deeper]: readonly string[], request: ItemRequest): Entries =>
    field === undefined ? {} : envelope(request, '', deeper.length > 0 ? {} : { [field]: [] })
  // An item that is alone in a list.
  const showAlone = (shape: ItemShape, { path }: ListShape): Show => {
    const show = showOf(shape)
    return (item, request, id) => {
      const shown = show(item, request, id)
      const items = [within(shape, shown)]
      const rest = besideList(path, request)
      const listed = { total: 1, items: () => items }
      if (form.pager !== undefined) return form.pager.page(request.request, request.input, listed, rest).body
      return path.length === 0 ? items : withMember(rest, path, items)
    }
  }
  const createShow = (): Show => {
    const { item, list } = answerOf(route, evidence)
    const listed = item === undefined && list !== undefined ? listShapeOf(form.model, route.path) : undefined
    if (list !== undefined && listed !== undefined) return showAlone(list, listed)
    const shape = itemShapeOf(form.model, evidence)
    // An answer that is not an object is the id, if it can be.
    if (shape === undefined) {
      const asId = createIdForm(form.model)
      return ({ value }, request, id) => asId(idOf(value) ?? id) ?? generate(request, id)
    }
    const show = showOf(shape)
    const [field, ...deeper] = shape.path
    if (field === undefined) return show
    return (item, request, id) =>
      withMember(
        envelope(request, id, deeper.length > 0 ? {} : { [field]: {} }),
        shape.path,
        show(item, request, id),
      )
  }
  const createCount = (field: string): Pick<ItemForm, 'need' | 'list'> => ({
    need: () => ALL,
    list(request, { items, size }) {
      const isKept = keep?.(request)
      const own = someOf(
        isKept === undefined ? items : items.filter(isKept),
        isKept === undefined ? size : undefined,
      )
      const select = selectOfList()(request.input, request.request)
      const { total } = select?.(own) ?? { total: own.size }
      return { body: field === '' ? total : { ...envelope(request, '', { [field]: total }), [field]: total } }
    },
  })
  const createList = (): Pick<ItemForm, 'need' | 'list'> => {
    const { pager } = form
    const shape = pager && itemShapeOf(pager.shape.item, evidence)
    if (counts !== undefined) return createCount(counts)
    if (pager === undefined || shape === undefined)
      return { need: () => NOTHING, list: (request) => ({ body: generate(request, '') }) }
    const show = showOf(shape)
    const selectOf = ofLast(selectOfList())
    const isOwnList = resource.list?.route.key === route.key
    const showOne = (item: StoredItem, request: ItemRequest): unknown => {
      if (isOwnList && item instanceof VirtualItem && item.listed !== undefined) {
        form.keep(item.listed)
        return within(shape, item.listed)
      }
      const id = idOf(item.value)
      const shown = show(item, request, id === undefined ? '' : idText(id))
      return within(shape, shown)
    }
    const [field] = pager.shape.path
    // An example of a list whose further pages a header names is the first of them.
    const shown = dynamic || !isOwnList || field !== undefined ? undefined : form.examples.usual?.value
    const firstPage = pager.hasLink && Array.isArray(shown) && shown.length > 0 ? shown.length : undefined
    const firstPageFor = ({ input, request, store, path }: ItemRequest): number | undefined =>
      firstPage === undefined || selectOf(input, request) !== undefined || store?.has(path) === true
        ? undefined
        : firstPage
    // As it begins, a list is as the description shows it.
    const orderOf = ({ store, path }: ItemRequest): UsualOrder =>
      store?.has(path) === true ? usualOrder() : undefined
    const need = (request: ItemRequest): Need =>
      keep !== undefined ||
      orderOf(request) !== undefined ||
      selectOf(request.input, request.request) !== undefined ||
      firstPageFor(request) !== undefined
        ? ALL
        : pager.need(request.input, request.request)
    return {
      need,
      list(request, found) {
        const { store } = request
        const isKept = keep?.(request)
        const all =
          store === undefined
            ? found
            : someOf(
                found.items.map((item) => update(item, store, request)),
                found.size,
              )
        const kept = isKept === undefined ? all : someOf(all.items.filter(isKept))
        const order = orderOf(request)
        const own = order === undefined ? kept : someOf(order(kept)?.items ?? kept.items)
        const selected = selectOf(request.input, request.request)?.(own)
        const { items: chosen, total } = selected ?? { items: own.items, total: own.size }
        const needed = need(request)
        const start = needed.kind === 'page' ? needed.offset : 0
        const items = (offset: number, limit: number): unknown[] =>
          chosen
            .slice(Math.max(0, offset - start), Math.max(0, offset - start + limit))
            .map((item) => showOne(item, request))
        const rest = besideList(pager.shape.path, request)
        const usualSize = firstPageFor(request)
        const listed = { total, items, ...(usualSize !== undefined && { usualSize }) }
        return pager.page(request.request, request.input, listed, rest)
      },
    }
  }
  const show = createShow()
  const isOwnItem = resource.read?.route.key === route.key
  const saysNothing = lazy(() => answerOf(route, evidence).item?.fields.size === 0)
  // With what is around it in the example.
  const asExample = remembered((item: VirtualItem): Entries => {
    const example = form.examples.usual?.value
    const path = item.shownBy?.read?.item?.path ?? []
    const value = within({ path }, item.value, isObject(example) ? example : {}) as Entries
    form.keep(value)
    return value
  }, new WeakMap())
  return {
    show(item, request, id) {
      const { store } = request
      const now = store === undefined ? item : update(item, store, request)
      if (!(now instanceof VirtualItem) || now !== item) return { body: show(now, request, id) }
      const { shown, shownBy } = now
      if (isOwnItem && shown !== undefined) return { body: shown }
      const isOwn = shownBy?.read?.route.key === route.key && shownBy.read.isListed !== true
      const isExample = isOwn && form.examples.usual !== undefined
      return { body: isExample ? asExample(now) : show(now, request, id) }
    },
    // What describes no fields of what it removes is empty.
    showRemoved: (item, request) => ({
      body: show(new StoredItem(saysNothing() ? {} : { ...item, ...REMOVED }), request, request.id),
    }),
    ...createList(),
    validate: form.validate,
  }
}

function someOf(items: readonly StoredItem[], size = items.length): Pick<Found, 'items' | 'size' | 'some'> {
  return { items, size, some: (_, test) => items.some(({ value }) => test(value)) }
}

function within({ path }: Pick<ItemShape, 'path'>, item: unknown, around: Entries = {}): unknown {
  return path.length === 0 ? item : withMember(around, path, item)
}

const NO_BODY = { body: undefined }
const NOTHING: Need = { kind: 'nothing' }
const ALL: Need = { kind: 'all' }

// An answer may know the id by another name or type than the item does.
function createAlias(shape: ItemShape, { idField, evidence }: Resource): (item: Item) => Item {
  const named = idFieldOf(shape, evidence)
  if (named === undefined || idField === undefined) return () => NO_FIELDS
  const asId = createIdForm(shape.modelOf(named))
  return (item) => {
    const id = item[idField] === undefined ? undefined : asId(item[idField])
    return id === undefined ? NO_FIELDS : { [named]: id }
  }
}

const NO_FIELDS: Item = {}
