import type { HttpRequest } from '../message.ts'
import type { Input } from './input.ts'
import { rangeOf } from './list-range.ts'
import { ITEMS } from './schema/array.ts'
import { ByteSink } from './schema/byte-sink.ts'
import type { Scope, Write } from './schema/generate.ts'
import type { OutputKind } from './output.ts'
import type { Stream } from './random.ts'

/** What bodies of a route are written from. */
export interface WrittenFrom {
  readonly writeItem: () => Write
  readonly streamOf: (input: Input) => Stream
  readonly scopeOf: (call: HttpRequest, input: Input) => Scope
  readonly countOf: (input: Input) => number
}

type WriteBody = (call: HttpRequest, input: Input) => void

// One for all routes: a body is written from its beginning to its end without a pause.
const sink = new ByteSink()
const COMMA = 0x2c

/** Writes whole bodies of one kind of output as JSON; `undefined` for the kind that has none. */
export function createBodyWriter(
  kind: OutputKind,
  { writeItem, streamOf, scopeOf, countOf }: WrittenFrom,
): ((call: HttpRequest, input: Input) => string) | undefined {
  const writeItems = (call: HttpRequest, input: Input, first: number, count: number): void => {
    const [items, scope, write] = [streamOf(input).child(ITEMS), scopeOf(call, input), writeItem()]
    sink.plain('[')
    for (let index = first; index < first + count; index++) {
      if (index > first) sink.byte(COMMA)
      write(sink, items.child(index), scope)
    }
    sink.plain(']')
  }
  const kinds: Record<OutputKind, WriteBody | undefined> = {
    none: undefined,
    paged: undefined,
    single: (call, input) => writeItem()(sink, streamOf(input), scopeOf(call, input)),
    list: (call, input) => writeItems(call, input, 0, countOf(input)),
    slice(call, input) {
      sink.plain('{"items":')
      writeItems(call, input, 0, countOf(input))
      sink.plain(',"next_page_token":null}')
    },
    page(call, input) {
      const total = countOf(input)
      const { limit, offset, count } = rangeOf(input, total)
      sink.plain('{"items":')
      writeItems(call, input, offset, count)
      sink.plain(`,"total":${total},"limit":${limit},"offset":${offset}}`)
    },
  }
  const writeBody = kinds[kind]
  return (
    writeBody &&
    ((call, input) =>
      written(() => {
        writeBody(call, input)
        return sink.take()
      }))
  )
}

/** The JSON text of one value. */
export function textOfOne(write: Write, stream: Stream, scope: Scope): string {
  return written(() => {
    write(sink, stream, scope)
    return sink.takeText()
  })
}

function written(write: () => string): string {
  try {
    return write()
  } catch (error) {
    sink.clear()
    throw error
  }
}
