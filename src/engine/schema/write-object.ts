import { KEEP } from '../links/link.ts'
import { MOST_DEPTH } from './compiler.ts'
import { writerOf, type Generate, type Write } from './generate.ts'

/** A declared field, and how its values are made. */
export interface Field {
  readonly name: string
  readonly salt: number
  readonly generate: Generate
  readonly link: Generate | undefined
  /** Whether a link of it may look at other fields of the object. */
  readonly readsSiblings: boolean
  /** Whether a deep object has it. */
  readonly small: boolean
}

const OPEN = 0x7b
const CLOSE = 0x7d

/**
 * Writes an object field by field, in the order they are declared in.
 * @returns undefined where a link may look at other fields, or where objects have an order of their own for names
 */
export function objectWriter(fields: readonly Field[]): Write | undefined {
  if (
    fields.some(({ name, link, readsSiblings }) => INDEX.test(name) || (link !== undefined && readsSiblings))
  )
    return undefined
  const all = fields.map(fieldWriter)
  const small = all.filter((_, index) => fields[index]?.small)

  return (sink, stream, scope) => {
    const written = scope.depth > MOST_DEPTH ? small : all
    sink.byte(OPEN)
    let first = true
    for (let index = 0; index < written.length; index++) {
      const { salt, key, nextKey, write } = written[index] as FieldWriter
      sink.raw(first ? key : nextKey)
      write(sink, stream.child(salt), scope)
      first = false
    }
    sink.byte(CLOSE)
  }
}

// Names such as `7` come first in an object, whatever their place.
const INDEX = /^(0|[1-9]\d*)$/

interface FieldWriter {
  readonly salt: number
  /** With its quotes and colon; `nextKey` has a comma before them. */
  readonly key: Uint8Array
  readonly nextKey: Uint8Array
  readonly write: Write
}

function fieldWriter({ name, salt, generate, link }: Field): FieldWriter {
  const key = Buffer.from(`${JSON.stringify(name)}:`)
  const write = writerOf(generate)
  return {
    salt,
    key,
    nextKey: Buffer.concat([Buffer.from(','), key]),
    write: link === undefined ? write : linkedWriter(link, write),
  }
}

function linkedWriter(link: Generate, write: Write): Write {
  return (sink, stream, scope) => {
    const value = link(stream, scope)
    if (value === KEEP) write(sink, stream, scope)
    else sink.value(value)
  }
}
