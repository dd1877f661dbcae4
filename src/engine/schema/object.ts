import { KEEP, orderFields } from '../links/link.ts'
import { hashText, type Stream } from '../random.ts'
import { affords, FIELD, MAX_DEPTH, SPACE } from './budget.ts'
import { type Compiler, withWriter, type Generate, type Scope, writerOf, type Write } from './generate.ts'
import { compileEntries } from './entries.ts'
import { withPatterns } from './fields.ts'
import { isSmall } from './height.ts'
import { numberOf, requiredOf } from './keywords.ts'
import { linksOf, siblingsOf } from './linked.ts'
import { ordered as inOrder, orderedFieldsOf } from './ordered-fields.ts'
import { below, type Position } from './position.ts'
import { createSharing, withinSpace } from './space.ts'
import { propertiesOf, type Schema, type SchemaOrBoolean, setEntry, type Entries } from './schema.ts'

/** An object with all its declared fields, links resolved in the order they need each other, and further entries. */
export function compileObject(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { fields, leftOut } = compileFields(schema, at, compiler)
  const ordered = inLinkOrder(fields, schema, at, compiler)
  const isReordered = ordered.some((field, index) => field !== fields[index])
  const addEntries = compileEntries(schema, at, compiler)
  const isOpen = schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined

  const generate: Generate = (stream, scope) => {
    const value: Entries = {}
    const { given } = scope
    scope.given = undefined
    if (!affords(scope, FIELD * fields.length, at)) return value
    const left = leftOut(scope)
    // Names are put down in their declared order before values come in another.
    if (isReordered)
      for (const { name } of fields) if (left?.has(name) !== true) setEntry(value, name, undefined)

    for (const { name, salt, generate, link, inOrder } of ordered) {
      if (left?.has(name) === true) continue
      const isGiven = given !== undefined && Object.hasOwn(given, name)
      if (isGiven && link === undefined) {
        setEntry(value, name, given[name])
        continue
      }
      const own = stream.child(salt)
      const linked = link === undefined ? KEEP : link(own, scope, value)
      if (linked !== KEEP) setEntry(value, name, linked)
      else if (isGiven) setEntry(value, name, given[name])
      else setEntry(value, name, inOrder === undefined ? generate(own, scope) : inOrder(stream, scope, given))
    }
    if (given !== undefined && isOpen) addGiven(value, given)
    addEntries?.(value, stream, scope)
    return value
  }
  return withWriter(
    generate,
    addEntries === undefined ? objectWriter(fields, leftOut, isOpen, at) : undefined,
  )
}

// What is given beside the declared fields belongs to the object as well, such as a stored record's entries.
function addGiven(value: Entries, given: Readonly<Entries>): void {
  for (const name of Object.keys(given)) if (!Object.hasOwn(value, name)) setEntry(value, name, given[name])
}

/** The names of the fields that an object does not have where it is made; `undefined` where it has all. */
type LeftOut = (scope: Scope) => ReadonlySet<string> | undefined

function compileFields(
  schema: Schema,
  at: Position,
  compiler: Compiler,
): { readonly fields: Field[]; readonly leftOut: LeftOut } {
  const { heights, fold, sizes } = compiler
  const required = new Set(requiredOf(schema))
  const most = (numberOf(schema, 'maxProperties') ?? Infinity) - required.size
  let optional = 0
  const declared = propertiesOf(schema)
    .map(([name, part]) => ({ name, part: withPatterns(schema, name, part) }))
    .filter(({ name, part }) => required.has(name) || (heights.of(part) !== Infinity && ++optional <= most))
    .map((field) => ({ ...field, small: required.has(field.name) || isSmall(field.part, heights, fold) }))
  const sharesOf = sizes && createSharing(declared, sizes)
  const compileField = (part: SchemaOrBoolean, name: string): Generate => {
    const generate = compiler.compileUnlinked(part, below(at, name))
    return sharesOf === undefined
      ? generate
      : withinSpace(generate, (space = SPACE) => sharesOf(space).spaces.get(name) ?? space)
  }
  const large = new Set(declared.filter(({ small }) => !small).map(({ name }) => name))
  const whenDeep = (scope: Scope): ReadonlySet<string> | undefined =>
    scope.depth > MAX_DEPTH ? large : undefined
  const fields = declared.map(({ name, part }): Field => ({
    name,
    salt: hashText(name),
    generate: compileField(part, name),
    link: compiler.compileLink(part, below(at, name)),
    readsSiblings: linksOf(part, compiler.resolve).some(({ link }) => !link.readsInputOnly),
    isSaid: compiler.says(part, below(at, name)),
  }))
  return {
    fields: withOrder(
      fields,
      orderedFieldsOf(
        declared.map(({ name, part }) => [name, part]),
        fold,
      ),
    ),
    leftOut:
      sharesOf === undefined
        ? whenDeep
        : (scope) => whenDeep(scope) ?? (scope.space === undefined ? undefined : sharesOf(scope.space).left),
  }
}

// Fields whose values have an order with others'.
function withOrder(fields: Field[], names: readonly (readonly string[])[]): Field[] {
  const groups = names.map((group) =>
    group.flatMap((name) => fields.find((field) => field.name === name && field.link === undefined) ?? []),
  )
  if (groups.length === 0) return fields
  return fields.map((field) => {
    const group = groups.find((each) => each.length > 1 && each.includes(field))
    return group === undefined ? field : { ...field, inOrder: inOrderOf(field, group) }
  })
}

// Each field's value is found from all, so that it is the same whether an object is made or written.
function inOrderOf(field: Field, group: readonly Field[]): InOrder {
  const index = group.indexOf(field)
  const isSaid = group.map((each) => each.isSaid)
  return (stream, scope, given) => {
    const isGiven = ({ name }: Field): boolean => given !== undefined && Object.hasOwn(given, name)
    const values = group.map((each) =>
      isGiven(each) ? given?.[each.name] : each.generate(stream.child(each.salt), scope),
    )
    return inOrder(values, given === undefined ? isSaid : group.map((each) => each.isSaid || isGiven(each)))[
      index
    ]
  }
}

function inLinkOrder(
  fields: readonly Field[],
  schema: Schema,
  at: Position,
  { resolve }: Compiler,
): readonly Field[] {
  const needs = new Map(propertiesOf(schema).map(([name, part]) => [name, siblingsOf(part, resolve)]))
  const order = new Map(orderFields(at.model, needs).map((name, index) => [name, index]))
  return fields.toSorted((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0))
}

/** A declared field, and how its values are made. */
export interface Field {
  readonly name: string
  readonly salt: number
  readonly generate: Generate
  readonly link: Generate | undefined
  /** Whether a link of it may look at other fields of the object. */
  readonly readsSiblings: boolean
  /** Whether a description says its value. */
  readonly isSaid: boolean
  /** Makes it from the object's stream where its value has an order with others'. */
  readonly inOrder?: InOrder
}

type InOrder = (stream: Stream, scope: Scope, given?: Readonly<Entries>) => unknown

const OPEN = 0x7b
const CLOSE = 0x7d
const COMMA = 0x2c
const COLON = 0x3a

/**
 * Writes an object field by field, in the order they are declared in.
 * @returns undefined where a link may look at other fields, or where objects have an order of their own for names
 */
function objectWriter(
  fields: readonly Field[],
  leftOut: LeftOut,
  isOpen: boolean,
  at: Position,
): Write | undefined {
  if (
    fields.some(({ name, link, readsSiblings }) => INDEX.test(name) || (link !== undefined && readsSiblings))
  )
    return undefined
  const all = fields.map(fieldWriter)
  const some = new WeakMap<ReadonlySet<string>, readonly FieldWriter[]>()
  const without = (left: ReadonlySet<string>): readonly FieldWriter[] => {
    const known = some.get(left) ?? all.filter(({ name }) => !left.has(name))
    some.set(left, known)
    return known
  }
  const names = new Set(fields.map(({ name }) => name))
  const cost = FIELD * fields.length

  return (sink, stream, scope) => {
    const { given } = scope
    scope.given = undefined
    const left = leftOut(scope)
    const written = affords(scope, cost, at) ? (left === undefined ? all : without(left)) : NONE
    sink.byte(OPEN)
    for (let index = 0; index < written.length; index++) {
      const { name, salt, key, nextKey, link, write, inOrder } = written[index] as FieldWriter
      sink.raw(index === 0 ? key : nextKey)
      const own = stream.child(salt)
      const linked = link === undefined ? KEEP : link(own, scope)
      if (linked !== KEEP) sink.value(linked)
      else if (given !== undefined && Object.hasOwn(given, name)) sink.value(given[name])
      else if (inOrder === undefined) write(sink, own, scope)
      else sink.value(inOrder(stream, scope, given))
    }
    if (given !== undefined && isOpen) {
      const others = Object.entries(given).filter(([name]) => !names.has(name))
      for (const [index, [name, value]] of others.entries()) {
        if (written.length + index > 0) sink.byte(COMMA)
        sink.text(name)
        sink.byte(COLON)
        sink.value(value)
      }
    }
    sink.byte(CLOSE)
  }
}

const NONE: readonly FieldWriter[] = []

// Names such as `7` come first in an object, wherever they are declared.
const INDEX = /^(0|[1-9]\d*)$/

interface FieldWriter extends Pick<Field, 'name' | 'salt' | 'link' | 'inOrder'> {
  /** With its quotes and colon; `nextKey` has a comma before them. */
  readonly key: Uint8Array
  readonly nextKey: Uint8Array
  readonly write: Write
}

function fieldWriter({ name, salt, generate, link, inOrder }: Field): FieldWriter {
  const key = Buffer.from(`${JSON.stringify(name)}:`)
  const nextKey = Buffer.concat([Buffer.from(','), key])
  return { name, salt, link, key, nextKey, write: writerOf(generate), ...(inOrder && { inOrder }) }
}
