import { ApiError } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, fieldOf, type Scope } from '../ontology/scope.ts'
import { accepts, kindOf } from '../values/kinds.ts'
import { type DataType, elementType, textOf, typeText } from '../values/value.ts'

export type Predicate = (object: OntologyObject) => boolean
export type Clause = Readonly<Record<string, unknown>>

/** What a filter is compiled for. */
export interface FilterContext {
  readonly scope: Scope
  /** The time by the virtual clock. */
  readonly now: number
}

/** One kind of clause: makes the test of an object. `inner` compiles the clauses within. */
export type Operator = (
  clause: Clause,
  context: FilterContext,
  inner: (clause: unknown) => Predicate,
) => Predicate

/** The refusal of a filter on a property whose type does not have it. */
export const notSupported = (clause: Clause, field: Field): ApiError =>
  new ApiError(
    'PropertyTypesSearchNotSupported',
    { parameters: { [textOf(clause['type'])]: [field.name] } },
    `"${field.name}" is of type ${typeText(field.type)}, which has no filter ${textOf(clause['type'])}`,
  )

/** The refusal of a value that does not fit the property. */
export const invalidValue = (field: Field, value: unknown): ApiError =>
  new ApiError('InvalidPropertyValue', {
    property: field.name,
    propertyBaseType: typeText(field.type),
    propertyValue: value,
  })

/** The value of a clause in the property's type; numbers and booleans may come as text. */
export const operand = (field: Field, type: DataType, value: unknown): unknown => {
  const read = typeof value === 'string' ? kindOf(type).parse?.(value) : value
  if (read === undefined || read === null || !accepts(read, type)) throw invalidValue(field, value)
  return read
}

/** A test of an object by a test of its values: one of a list's is enough, and null never passes. */
export const someValue = (field: Field, test: (value: unknown) => boolean): Predicate => {
  const { read } = field
  if (field.type.type !== 'array') {
    return (object) => {
      const value = read(object)
      return value !== undefined && value !== null && test(value)
    }
  }
  return (object) => {
    const values = read(object)
    return (
      Array.isArray(values) && values.some((value) => value !== undefined && value !== null && test(value))
    )
  }
}

/** The clause's field, whose values must be text. */
export const textField = (clause: Clause, { scope }: FilterContext): Field => {
  const field = fieldOf(scope, clause)
  if (elementType(field.type).type !== 'string') throw notSupported(clause, field)
  return field
}

/** The clause's value, which must be text. */
export const textOperand = (clause: Clause, field: Field): string => {
  const { value } = clause
  if (typeof value !== 'string') throw invalidValue(field, value)
  return value
}
