import { isDeepStrictEqual } from 'node:util'
import type { HttpRequest } from '../message.ts'
import type { Input } from './input.ts'
import { ITEMS } from './schema/array.ts'
import { compileGenerator } from './schema/compile.ts'
import { writerOf, type Generate, type Scope } from './schema/generate.ts'
import { holdsLink } from './schema/linked.ts'
import { createResolver } from './schema/schema.ts'
import { countOf, rangeOf } from './list-range.ts'
import { itemModelOf, outputKind } from './output.ts'
import { canonicalText, contentStream, type Seed, type Stream } from './random.ts'
import type { RouteDefinition } from './route.ts'
import { createBodyWriter, textOfOne } from './write-output.ts'

const CANDIDATES_PER_ITEM = 20

/** Makes the bodies of one route from its output model. */
export interface Output {
  /** The whole body; `undefined` for a route without an output model. */
  generate(call: HttpRequest, input: Input): unknown
  /**
   * As `generate`, but written as JSON at once: its UTF-8 bytes as a character each, or `undefined` where this body has to
   * be made first. Absent where all have to be.
   */
  readonly write?: ((call: HttpRequest, input: Input) => string | undefined) | undefined
  /** Whether bodies depend on the seed and the input alone. */
  isPure(): boolean
  /** One instance of the model; its top-level fields take the given values where no link gives another. */
  generateOne(
    call: HttpRequest,
    input: Input,
    given: Readonly<Record<string, unknown>>,
  ): Record<string, unknown>
  /** The JSON text of what `generateOne` makes. */
  writeOne(call: HttpRequest, input: Input, given: Readonly<Record<string, unknown>>): string
}

/** Compiles a route's output model. Bodies are a pure function of the seed, the route and the input. */
export function createOutput(
  route: RouteDefinition,
  { seed, seedDrawn }: { seed: Seed; seedDrawn: boolean },
): Output {
  const { output, filterBy, pageTable, seedFrom } = route.options
  const kind = outputKind(output)
  const itemModel = itemModelOf(output ?? {})
  let compiled: Generate | undefined
  const itemGenerator = (): Generate => (compiled ??= compileGenerator(itemModel))
  const generateItem: Generate = (stream, scope) => itemGenerator()(stream, scope)

  const ownRoot = contentStream(seed, route.key)
  const streamOf = (input: Input): Stream => {
    const chosen = seedFrom === undefined ? undefined : input[seedFrom]
    const hasChosen = chosen !== undefined && chosen !== null
    const root = hasChosen && seedDrawn ? contentStream(canonicalText(chosen), route.key) : ownRoot
    if (kind !== 'page') return root.childOf(canonicalText(input))
    // Pages show one list: where a page begins must not change what it holds.
    const { limit: _limit, offset: _offset, ...rest } = input
    return root.childOf(canonicalText(rest))
  }
  const scopeOf = (call: HttpRequest, input: Input, given?: Scope['given']): Scope => ({
    route: route.key,
    input,
    headers: call.headers,
    given,
    depth: 0,
  })
  const filters = (input: Input): boolean =>
    filterBy !== undefined && input[filterBy] !== undefined && input[filterBy] !== null

  function* candidates(call: HttpRequest, input: Input, first: number, count: number): Iterable<unknown> {
    const [items, scope] = [streamOf(input).child(ITEMS), scopeOf(call, input)]
    for (let index = first; index < first + count; index++) yield generateItem(items.child(index), scope)
  }
  const list = (call: HttpRequest, input: Input, count: number): unknown[] => {
    if (!filters(input)) return [...candidates(call, input, 0, count)]
    const kept: unknown[] = []
    const field = filterBy ?? ''
    for (const item of candidates(call, input, 0, count * CANDIDATES_PER_ITEM)) {
      const keeps = isDeepStrictEqual((item as Record<string, unknown>)[field], input[field])
      if (keeps && kept.push(item) >= count) break
    }
    return kept.slice(0, count)
  }
  const paginate = (
    input: Input,
    total: number,
    page: (offset: number, limit: number) => readonly unknown[],
  ): unknown => {
    const { limit, offset, count } = rangeOf(input, total)
    return { items: page(offset, count), total, limit, offset }
  }

  const bodies: Record<typeof kind, (call: HttpRequest, input: Input) => unknown> = {
    none: () => undefined,
    single: (call, input) => generateItem(streamOf(input), scopeOf(call, input)),
    list: (call, input) => list(call, input, countOf(route, input)),
    // Made by an output of its own.
    paged: () => undefined,
    slice: (call, input) => ({
      items: list(call, input, countOf(route, input)),
      next_page_token: null,
    }),
    page: (call, input) => {
      const total = countOf(route, input)
      if (!filters(input)) {
        return paginate(input, total, (offset, limit) => [...candidates(call, input, offset, limit)])
      }
      const kept = list(call, input, total)
      return paginate(input, kept.length, (offset, limit) => kept.slice(offset, offset + limit))
    },
  }
  const write = createBodyWriter(kind, {
    writeItem: () => writerOf(itemGenerator()),
    streamOf,
    scopeOf,
    countOf: (input) => countOf(route, input),
  })
  return {
    isPure: () => !holdsLink(itemModel, createResolver(itemModel), (link) => !link.readsInputOnly),
    write:
      write && pageTable === undefined
        ? (call, input) => (filters(input) ? undefined : write(call, input))
        : undefined,
    generate(call, input) {
      if (pageTable === undefined) return bodies[kind](call, input)
      const { items, next } = pageTable.page(input)
      return kind === 'slice' ? { items, next_page_token: next } : items
    },
    generateOne(call, input, given) {
      return generateItem(streamOf(input), scopeOf(call, input, given)) as Record<string, unknown>
    },
    writeOne: (call, input, given) =>
      textOfOne(writerOf(itemGenerator()), streamOf(input), scopeOf(call, input, given)),
  }
}
