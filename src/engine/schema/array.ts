import { lazy } from '../lazy.ts'
import { hashText, type Stream } from '../random.ts'
import { affordable, affords, ITEM, MAX_DEPTH, MAX_TYPICAL, SHALLOW_DEPTH } from './budget.ts'
import { type Compiler, withWriter, writerOf, type Generate, type Scope, type Write } from './generate.ts'
import { itemsOf, numberOf, schemaOf } from './keywords.ts'
import { itemOf, type Position } from './position.ts'
import { divideSpace } from './space.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'

const MAX_REPEATS = 100

/** An array or tuple: as many items as its bounds allow, one to three where they leave it open. */
export function compileArray(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { first } = itemsOf(schema)
  const rest = furtherOf(schema)
  const { compile, heights, sizes } = compiler
  const own = first.map((part, index) => compile(part, itemOf(at, index)))
  const others = compile(rest, itemOf(at))
  const wanted = compileWanted(schema, itemOf(at), compiler)
  const unique = schema['uniqueItems'] === true
  // What is said of an item is said of the first, where all are to differ.
  const further = lazy(() => (unique ? compiler.silent().compile(rest, itemOf(at)) : others))

  const least = numberOf(schema, 'minItems') ?? 0
  const most = numberOf(schema, 'maxItems') ?? Infinity
  const isEndless = [...first, rest].map((part) => heights.of(part) === Infinity)
  // Items that would never end, or that nothing fits, are made only where they must be.
  const bound = isEndless.includes(true) ? isEndless.indexOf(true) : Infinity
  const isOpen = first.length === 0 || least > first.length
  const fewest = wanted.length === 0 ? least : Math.max(least, first.length + wanted.length)

  const itemSize = sizes === undefined ? 1 : Math.max(1, sizes.least(rest))

  const lengthOf = (stream: Stream, scope: Scope): number => {
    const usual = scope.depth > SHALLOW_DEPTH ? 1 : stream.integer(1, MAX_TYPICAL)
    const fitting = scope.space === undefined ? usual : Math.min(usual, Math.floor(scope.space / itemSize))
    const open = scope.depth > MAX_DEPTH ? 0 : Math.min(most, bound, isOpen ? fitting : first.length)
    return affordable(scope, Math.max(fewest, open), ITEM, at, 'items')
  }
  const generateAll: Generate = (stream, scope) => {
    const length = lengthOf(stream, scope)
    const around = divideSpace(scope, length)
    const values: unknown[] = []
    const seen = new Set<string>()
    for (let attempt = 0; values.length < length && attempt < length * 10 + MAX_REPEATS; attempt++) {
      const index = values.length
      const generate = own[index] ?? wanted[index - own.length] ?? (unique && index > 0 ? further() : others)
      const value = generate(stream.child(attempt), scope)
      if (unique) {
        const text = JSON.stringify(value)
        if (seen.has(text)) {
          if (affords(scope, ITEM, at)) continue
          break
        }
        seen.add(text)
      }
      values.push(value)
    }
    scope.space = around
    return values
  }
  const isPlain = !unique && own.length === 0 && wanted.length === 0
  return withWriter(generateAll, isPlain ? arrayWriter(lengthOf, others) : undefined)
}

function arrayWriter(lengthOf: (stream: Stream, scope: Scope) => number, item: Generate): Write {
  const write = writerOf(item)
  return (sink, stream, scope) => {
    const length = lengthOf(stream, scope)
    const around = divideSpace(scope, length)
    sink.byte(OPEN)
    for (let index = 0; index < length; index++) {
      if (index > 0) sink.byte(COMMA)
      write(sink, stream.child(index), scope)
    }
    scope.space = around
    sink.byte(CLOSE)
  }
}

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

// What is neither in a place of its own nor wanted fits no `contains` that only so many may fit.
function furtherOf(schema: Schema): SchemaOrBoolean {
  const { rest } = itemsOf(schema)
  const contains = schemaOf(schema, 'contains')
  const isLimited = contains !== undefined && numberOf(schema, 'maxContains') !== undefined
  return isLimited ? { allOf: [rest, { not: contains }] } : rest
}

// As many items as must fit `contains`.
function compileWanted(schema: Schema, at: Position, { compile }: Compiler): readonly Generate[] {
  const contains = schemaOf(schema, 'contains')
  if (contains === undefined) return []
  const { rest } = itemsOf(schema)
  const generate = compile({ allOf: [rest, contains] }, at)
  const length = Math.min(numberOf(schema, 'minContains') ?? 1, MAX_WANTED)
  return Array.from({ length }, () => generate)
}

const MAX_WANTED = 10_000

/** The salt of a list's items, apart from every field's. */
export const ITEMS = hashText('items of the list')
