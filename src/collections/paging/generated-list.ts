import type { HttpRequest } from '../../message.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import { cutHeaders } from '../../engine/generate-output.ts'
import { ITEMS } from '../../engine/schema/array.ts'
import { Budget, SPACE } from '../../engine/schema/budget.ts'
import { ByteSink } from '../../engine/schema/byte-sink.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { spaceOfList } from '../../engine/schema/list-space.ts'
import type { Generate, Scope } from '../../engine/schema/generate.ts'
import { holdsLink } from '../../engine/schema/linked.ts'
import { createResolver, isObject, type Schema } from '../../engine/schema/schema.ts'
import { contentStream, hashText, type Seed, type Stream } from '../../engine/random.ts'
import { WrittenValue } from '../../engine/schema/written-value.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { Page, Pager } from './pager.ts'

const TOTAL = hashText('how many items there are')

// One for all lists: an item is written from its beginning to its end without a pause.
const sink = new ByteSink()

/**
 * Pages of a list that is not stored. Item i is the same on whatever page it appears. The list is as long as the
 * route says, and else a little more than two pages of the usual size, or as long as fits where that is less than a page.
 * @param isSilent whether what a description says of values is passed over
 * @param beginning items that are known, the first of the list
 * @param isWritten whether nobody needs more of the items than their JSON
 */
export function createGeneratedList(
  route: RouteDefinition,
  pager: Pager,
  model: Schema,
  { seed, isSilent }: { readonly seed: Seed; readonly isSilent?: boolean },
): (call: HttpRequest, input: Input, beginning?: readonly unknown[], isWritten?: boolean) => Page {
  const { listCount } = route.options
  const usualSize = Math.min(pager.usualSize, typeof listCount === 'number' ? listCount : Infinity)
  const own = lazy(() => spaceOfList(pager.shape.item, usualSize))
  const generateItem = lazy(() => compileGenerator(pager.shape.item, { space: own().space, isSilent }))
  const generateEnvelope = lazy(() => compileGenerator(model, { space: ENVELOPE, isSilent }))

  const root = contentStream(seed, route.key)
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

  return (call, input, beginning = [], isWritten = false) => {
    const makeItem: Generate = isWritten ? writeItem : (place, own) => generateItem()(place, own)
    const stream = root.childOfValue(pager.withoutPage(input))
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
    const envelope = field === undefined ? {} : generateEnvelope()(stream, { ...scope(), given: given() })
    const page = pager.page(
      call,
      input,
      {
        total,
        // What is known is the first page.
        ...(beginning.length > 0 && { usualSize: beginning.length }),
        items: (offset, limit) =>
          Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) =>
            offset + index < beginning.length
              ? beginning[offset + index]
              : makeItem(items.child(offset + index), scope()),
          ),
      },
      isObject(envelope) ? envelope : {},
    )
    return budget.cut === undefined
      ? page
      : { ...page, headers: { ...page.headers, ...cutHeaders(budget.cut) } }
  }
}

// What is around the list; the one that is made with it is left out.
const ENVELOPE = SPACE / 8
