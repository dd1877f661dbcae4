import { isDeepStrictEqual } from 'node:util'
import type { HttpRequest } from '../message.ts'
import type { Input } from './input.ts'
import { countOf, rangeOf, usualCountOf } from './list-range.ts'
import type { Observer } from './observer.ts'
import { itemModelOf, outputKind, type OutputKind } from './output.ts'
import { createDrawnInput } from './drawn-input.ts'
import { canonicalText, contentStream, type Seed, type Stream } from './random.ts'
import type { RouteDefinition } from './route.ts'
import { ITEMS } from './schema/array.ts'
import { affordable, Budget, ITEM, MAX_BYTES, SPACE } from './schema/budget.ts'
import { ByteSink } from './schema/byte-sink.ts'
import { compileGenerator } from './schema/compile.ts'
import { writerOf, type Generate, type Scope, type Write } from './schema/generate.ts'
import { holdsLink } from './schema/linked.ts'
import { createResolver, modelName } from './schema/schema.ts'

const CANDIDATES_PER_ITEM = 20
const COMMA = 0x2c
const BYTES_PER_ITEM = 1024

type Given = Readonly<Record<string, unknown>>

/** Makes the bodies of one route from its output model. */
export interface Output {
  /** The whole body; `undefined` for a route without an output model. */
  generate(call: HttpRequest, input: Input): unknown
  /** What the body that was generated last does not have in full, since it would be too large; `undefined` for none. */
  cut(): string | undefined
  /**
   * As `generate`, but written as JSON at once: its UTF-8 bytes as a character each, or `undefined` where this body has to
   * be made first. Absent where all have to be.
   */
  readonly write?: ((call: HttpRequest, input: Input) => string | undefined) | undefined
  /** As `write`, but the text itself. */
  readonly writeText?: ((call: HttpRequest, input: Input) => string | undefined) | undefined
  /** Whether bodies depend on the seed and the input alone. */
  isPure(): boolean
  /**
   * One instance of the model; its top-level fields take the given values where no link gives another.
   * @param item the stored item that a change is of
   */
  generateOne(call: HttpRequest, input: Input, given: Given, item?: Given): Record<string, unknown>
  /** The JSON text of what `generateOne` makes. */
  writeOne(call: HttpRequest, input: Input, given: Given): string
}

/** What an output is made with. */
interface OutputOptions {
  readonly seed: Seed
  readonly seedDrawn: boolean
  readonly isSilent?: boolean
  /** Sees where values come from. */
  readonly observer?: Observer | undefined
}

// One for all routes: a body is written from its beginning to its end without a pause.
const sink = new ByteSink()

/**
 * Compiles a route's output model, with or without what a description says of its values (`isSilent`). Bodies are a pure function of the seed, the route
 * and the input.
 */
export function createOutput(
  route: RouteDefinition,
  { seed, seedDrawn, isSilent, observer }: OutputOptions,
): Output {
  const { output, filterBy, pageTable, seedFrom, listCount } = route.options
  const kind = outputKind(output)
  const itemModel = itemModelOf(output ?? {})
  const isUnique = kind === 'list' && output?.['uniqueItems'] === true
  let compiled: Generate | undefined
  const space = Math.floor(SPACE / usualCountOf(route))
  const itemGenerator = (): Generate =>
    (compiled ??= compileGenerator(itemModel, { space, isSilent, observer }))
  let writer: Write | undefined

  const ownRoot = contentStream(seed, route.key)
  const drawnInput = createDrawnInput(route)
  const streamOf = (given: Input): Stream => {
    const input = drawnInput(given)
    const chosen = seedFrom === undefined ? undefined : input[seedFrom]
    const hasChosen = chosen !== undefined && chosen !== null
    const root = hasChosen && seedDrawn ? contentStream(canonicalText(chosen), route.key) : ownRoot
    if (kind !== 'page') return root.childOfValue(input)
    // Pages show one list: where a page begins must not change what it holds.
    const { limit: _limit, offset: _offset, ...rest } = input
    return root.childOfValue(rest)
  }
  // Who says how long a list is means it.
  const bytes = Math.max(MAX_BYTES, typeof listCount === 'number' ? listCount * BYTES_PER_ITEM : 0)
  const whole = { model: modelName(output ?? {}, 'the answer'), field: '' }
  let last: Scope | undefined
  const scopeOf = ({ headers, loggedIn }: HttpRequest, input: Input, given?: Given, item?: Given): Scope => ({
    route: route.key,
    input,
    headers,
    ...(loggedIn !== undefined && { user: loggedIn }),
    ...(item !== undefined && { item }),
    given,
    depth: 0,
    budget: new Budget(bytes),
  })
  const startScope = (call: HttpRequest, input: Input, given?: Given, item?: Given): Scope => {
    last = scopeOf(call, input, given, item)
    return last
  }
  const filters = (input: Input): boolean =>
    filterBy !== undefined && input[filterBy] !== undefined && input[filterBy] !== null

  function* candidates(call: HttpRequest, input: Input, first: number, count: number): Iterable<unknown> {
    const [items, scope] = [streamOf(input).child(ITEMS), startScope(call, input)]
    const end = first + affordable(scope, count, ITEM, whole, 'items')
    for (let index = first; index < end; index++) yield itemGenerator()(items.child(index), scope)
  }
  const list = (call: HttpRequest, input: Input, count: number): unknown[] => {
    const isFiltered = filters(input)
    if (!isFiltered && !isUnique) return [...candidates(call, input, 0, count)]
    const kept: unknown[] = []
    const seen = new Set<string>()
    const field = filterBy ?? ''
    for (const item of candidates(call, input, 0, count * CANDIDATES_PER_ITEM)) {
      if (isFiltered && !isDeepStrictEqual((item as Record<string, unknown>)[field], input[field])) continue
      const text = isUnique ? JSON.stringify(item) : undefined
      if (text !== undefined && seen.has(text)) continue
      if (text !== undefined) seen.add(text)
      if (kept.push(item) >= count) break
    }
    return kept.slice(0, count)
  }
  const generateOne = (call: HttpRequest, input: Input, given?: Given, item?: Given): unknown =>
    itemGenerator()(streamOf(input), startScope(call, input, given, item))

  const bodies: Record<OutputKind, (call: HttpRequest, input: Input) => unknown> = {
    none: () => undefined,
    single: generateOne,
    list: (call, input) => list(call, input, countOf(route, input)),
    // Made by an output of its own.
    paged: () => undefined,
    slice: (call, input) => ({ items: list(call, input, countOf(route, input)), next_page_token: null }),
    page(call, input) {
      const all = countOf(route, input)
      const kept = filters(input) ? list(call, input, all) : undefined
      const total = kept?.length ?? all
      const { limit, offset, count } = rangeOf(input, total)
      const items = kept?.slice(offset, offset + count) ?? [...candidates(call, input, offset, count)]
      return { items, total, limit, offset }
    },
  }

  const writeOne = (call: HttpRequest, input: Input, given?: Given): void =>
    (writer ??= writerOf(itemGenerator()))(sink, streamOf(input), startScope(call, input, given))
  const writeItems = (call: HttpRequest, input: Input, first: number, count: number): void => {
    const [items, scope] = [streamOf(input).child(ITEMS), startScope(call, input)]
    const end = first + affordable(scope, count, ITEM, whole, 'items')
    const write = (writer ??= writerOf(itemGenerator()))
    sink.plain('[')
    for (let index = first; index < end; index++) {
      if (index > first) sink.byte(COMMA)
      write(sink, items.child(index), scope)
    }
    sink.plain(']')
  }
  const writers: Partial<Record<OutputKind, (call: HttpRequest, input: Input) => void>> = {
    single: writeOne,
    list: (call, input) => writeItems(call, input, 0, countOf(route, input)),
    slice(call, input) {
      sink.plain('{"items":')
      writeItems(call, input, 0, countOf(route, input))
      sink.plain(',"next_page_token":null}')
    },
    page(call, input) {
      const total = countOf(route, input)
      const { limit, offset, count } = rangeOf(input, total)
      sink.plain('{"items":')
      writeItems(call, input, offset, count)
      sink.plain(`,"total":${total},"limit":${limit},"offset":${offset}}`)
    },
  }
  const writeBody = writers[kind]
  const writing = (take: () => string): Output['write'] =>
    writeBody && pageTable === undefined
      ? (call, input) => {
          if (isUnique || filters(input)) return undefined
          return written(() => {
            writeBody(call, input)
            const text = take()
            // An answer that is cut says so in a header.
            return last?.budget?.cut === undefined ? text : undefined
          })
        }
      : undefined
  return {
    isPure: () => !holdsLink(itemModel, createResolver(itemModel), (link) => !link.readsInputOnly),
    write: writing(() => sink.take()),
    writeText: writing(() => sink.takeText()),
    cut: () => last?.budget?.cut,
    generate(call, input) {
      last = undefined
      if (pageTable === undefined) return bodies[kind](call, input)
      const { items, next, name } = pageTable.page(input)
      if (observer !== undefined)
        for (const row of items)
          observer.take(row, { origin: 'page-table', model: route.key, ...(name !== '' && { name }) })
      return kind === 'slice' ? { items, next_page_token: next } : items
    },
    generateOne: (call, input, given, item) =>
      generateOne(call, input, given, item) as Record<string, unknown>,
    writeOne: (call, input, given) =>
      written(() => {
        writeOne(call, input, given)
        return sink.takeText()
      }),
  }
}

/** The header that names what an answer does not have in full. */
export function cutHeaders(cut: string | undefined): Readonly<Record<string, string>> {
  return cut === undefined ? NO_HEADERS : { 'x-sim-cut': cut.replaceAll(/[^ -~]/g, '?') }
}

const NO_HEADERS = {}

// What failed midway is not the beginning of the next text.
function written<Text extends string | undefined>(write: () => Text): Text {
  try {
    return write()
  } catch (error) {
    sink.clear()
    throw error
  }
}
