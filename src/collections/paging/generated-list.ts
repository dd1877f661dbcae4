import type { HttpRequest } from '../../message.ts'
import { createDrawnInput } from '../../engine/drawn-input.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import { cutHeaders } from '../../engine/generate-output.ts'
import type { Observer } from '../../engine/observer.ts'
import { ITEMS } from '../../engine/schema/array.ts'
import { Budget, SPACE } from '../../engine/schema/budget.ts'
import { ByteSink } from '../../engine/schema/byte-sink.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { saidOf } from '../../engine/schema/said.ts'
import { partAt } from '../../engine/list-shape.ts'
import { spaceOfList } from '../../engine/schema/list-space.ts'
import type { Generate, Scope } from '../../engine/schema/generate.ts'
import { holdsLink } from '../../engine/schema/linked.ts'
import { fitsNothing } from '../../engine/schema/measures.ts'
import { createResolver, isObject, type Entries, type Schema } from '../../engine/schema/schema.ts'
import { contentStream, hashText, type Seed, type Stream } from '../../engine/random.ts'
import { WrittenValue } from '../../engine/schema/written-value.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { StoredItem } from '../../state/store.ts'
import type { Choice, Chooser } from '../list-parameters.ts'
import type { Listed } from './page-links.ts'
import type { Page, Pager } from './page.ts'

/** What a request wants of a list besides a page. */
export interface WantedList {
  /** Items that are known, the first of the list. */
  readonly beginning?: readonly unknown[] | undefined
  /** Whether nobody needs more of the items than their JSON. */
  readonly isWritten?: boolean | undefined
  /** Fields that all items have. */
  readonly given?: Given
}

const NO_ITEMS = { count: 0, space: undefined }

type Given = Readonly<Entries> | undefined

const ID = hashText('the id of an item')
const TOTAL = hashText('how many items there are')

// One for all lists: an item is written from its beginning to its end without a pause.
const sink = new ByteSink()

/**
 * Pages of a list that is not stored. Item i is the same on whatever page it appears. The list is as long as the
 * route says, and else a little more than two pages of the usual size, or as long as fits where that is less than a page.
 * @param options.isSilent whether what a description says of values is passed over
 * @param options.chooser what requests choose from the list
 * @param options.idField the field that distinguishes items: what a description says of it is said of the first
 */
export function createGeneratedList(
  route: RouteDefinition,
  pager: Pager,
  model: Schema,
  {
    seed,
    isSilent,
    chooser,
    idField,
    observer,
  }: {
    readonly seed: Seed
    readonly isSilent?: boolean
    readonly chooser?: Chooser | undefined
    readonly idField?: string | undefined
    readonly observer?: Observer | undefined
  },
): (call: HttpRequest, input: Input, wanted?: WantedList) => Page {
  const { listCount } = route.options
  const usualSize = Math.min(pager.usualSize, typeof listCount === 'number' ? listCount : Infinity)
  const own = lazy(() =>
    fitsNothing(pager.shape.item) ? NO_ITEMS : spaceOfList(pager.shape.item, usualSize),
  )
  const generateItem = lazy(() =>
    compileGenerator(pager.shape.item, { space: own().space, isSilent, observer }),
  )
  const generateEnvelope = lazy(() => compileGenerator(model, { space: ENVELOPE, isSilent, observer }))

  const generateId = lazy(() => {
    const model = idField === undefined ? true : partAt(pager.shape.item, [idField])
    const isSaid = typeof model === 'object' && saidOf(model, createResolver(model)).length > 0
    return isSaid ? compileGenerator(model, { isSilent: true }) : undefined
  })
  const fieldsOf = (place: Stream, index: number, known: Given, scope: Scope): Given => {
    const id = index === 0 || idField === undefined ? undefined : generateId()?.(place.child(ID), scope)
    return id === undefined ? known : { [idField as string]: id, ...known }
  }

  const root = contentStream(seed, route.key)
  const drawnInput = createDrawnInput(route)
  const writeItem = (stream: Stream, scope: Scope): unknown => {
    const { write } = generateItem()
    if (write === undefined) return generateItem()(stream, scope)
    try {
      write(sink, stream, scope)
      return new WrittenValue(sink.takeText())
    } finally {
      sink.clear()
    }
  }
  // A list that links look at has to be there, though the answer has another in its place.
  const [field, ...deeper] = pager.shape.path
  const given = lazy(() =>
    field === undefined || deeper.length > 0 || holdsLink(model, createResolver(model))
      ? undefined
      : { [field]: [] },
  )

  return (call, input, { beginning = [], isWritten = false, given: known } = {}) => {
    const choice = chooser?.choice(input, call)
    const makeItem: Generate =
      isWritten && choice === undefined ? writeItem : (place, own) => generateItem()(place, own)
    const stream = root.childOfValue(unchosen(pager.withoutPage(drawnInput(input)), chooser))
    const budget = new Budget()
    const scope = (): Scope => ({ route: route.key, input, headers: call.headers, depth: 0, budget })
    const { count } = own()
    // A list of which a page would be too long is all on one.
    const usual =
      count < usualSize
        ? count
        : 2 * pager.usualSize + stream.child(TOTAL).integer(1, Math.max(1, pager.usualSize))
    const total = Math.max(beginning.length, typeof listCount === 'number' ? listCount : usual)
    const items = stream.child(ITEMS)
    const itemAt = (index: number): unknown => {
      if (index < beginning.length) return beginning[index]
      const place = items.child(index)
      const fields = fieldsOf(place, index, known, scope())
      return makeItem(place, fields === undefined ? scope() : { ...scope(), given: fields })
    }
    const itemsFrom = (offset: number, limit: number): unknown[] =>
      Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) =>
        itemAt(offset + index),
      )
    const chosen = choice && chosenFrom(itemsFrom(0, total), choice)
    const envelope = field === undefined ? {} : generateEnvelope()(stream, { ...scope(), given: given() })
    const page = pager.page(
      call,
      input,
      chosen ?? {
        total,
        // What is known is the first page.
        ...(beginning.length > 0 && { usualSize: beginning.length }),
        items: itemsFrom,
      },
      isObject(envelope) ? envelope : {},
    )
    return budget.cut === undefined
      ? page
      : { ...page, headers: { ...page.headers, ...cutHeaders(budget.cut) } }
  }
}

/** An input without what chooses from a list: whatever is chosen is of one list. */
export function unchosen(input: Input, chooser: Chooser | undefined): Input {
  if (chooser === undefined || chooser.names.size === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !chooser.names.has(name)))
}

/** What a choice leaves of a list. */
export function chosenFrom(all: readonly unknown[], choose: Choice): Listed {
  const stored = all.filter((each) => isObject(each)).map((each) => new StoredItem(each))
  const { items, total } = choose({
    items: stored,
    some: (_, test) => stored.some(({ value }) => test(value)),
  })
  return {
    total,
    items: (offset, limit) => items.slice(offset, offset + limit).map(({ value }) => value),
  }
}

// What is around the list; the one that is made with it is left out.
const ENVELOPE = SPACE / 8
