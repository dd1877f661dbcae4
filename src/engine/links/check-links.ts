import { nearest } from '../../data-files/words.ts'
import { LinksInvalid } from '../../errors.ts'
import { partAt } from '../list-shape.ts'
import { fieldsOf } from '../schema/fields.ts'
import { readPointer } from '../schema/pointer.ts'
import { linksOf, siblingsOf } from '../schema/linked.ts'
import { positionName, below, itemOf, positionWithin, type Position } from '../schema/position.ts'
import {
  createResolver,
  isObject,
  type Resolve,
  modelName,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../schema/schema.ts'
import { itemModelOf, outputKind } from '../output.ts'
import type { Operation } from '../operation.ts'
import type { RouteDefinition } from '../route.ts'
import { type BoundLink, orderFields } from './link.ts'
import { itemsOf, schemaEntriesOf, schemaOf, schemasOf } from '../schema/keywords.ts'
import { createFold } from '../schema/merge.ts'

/** What is wrong with a route's links. */
export interface LinkProblems {
  /** Circles, unknown links and malformed arguments: no answer could ever be given. */
  readonly fatal: readonly string[]
  /** Names of fields that are not there: the linked field would be generated instead. */
  readonly unbound: readonly string[]
}

/**
 * Checks every link of a route's output model, each problem with route, model and field.
 * @param makers the routes that made what this one shows, whose input the links have read
 */
export function checkLinks(route: RouteDefinition, makers: readonly RouteDefinition[] = []): LinkProblems {
  const { output } = route.options
  if (output === undefined) return { fatal: [], unbound: [] }
  const fatal = new Set<string>()
  const unbound = new Set<string>()
  const model = outputKind(output) === 'paged' ? output : itemModelOf(output)
  const resolve = createResolver(model)
  const inputFields = new Set([route, ...makers].flatMap(inputFieldsOf))

  const checkValue = (value: ModelValue): void => {
    const where = `${route.key}: ${positionName(value.at)}`
    try {
      for (const { link } of linksOf(value.schema, resolve)) {
        for (const problem of findUnbound(link, inputFields, value))
          unbound.add(`${where}: ${link.name}${problem}`)
      }
    } catch (error) {
      fatal.add(`${where}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const checkFields = (fields: Fields): void => {
    for (const problem of findCircles(fields, resolve)) fatal.add(`${route.key}: ${problem}`)
  }
  walkModel(model, resolve, checkValue, checkFields)
  return { fatal: [...fatal], unbound: [...unbound] }
}

function inputFieldsOf({
  options: { input, item },
  parameters,
  operation,
}: RouteDefinition): readonly string[] {
  if (operation !== undefined) return operationFieldsOf(operation)
  if (input === undefined) return parameters
  const own = partAt(input, readPointer(item?.body ?? ''))
  return [input, ...(isObject(own) ? [own] : [])].flatMap((model) => [
    ...fieldsOf(model, createResolver(model)).keys(),
  ])
}

// What an operation reads is one object: its parameters, and the fields of whichever body comes.
function operationFieldsOf({ parameters, body }: Operation): string[] {
  const models = [...(body?.content.values() ?? [])].flatMap(({ model }) =>
    model === undefined ? [] : [model],
  )
  const fields = models.flatMap((model) => [...fieldsOf(model, createResolver(model)).keys()])
  return [...parameters.map(({ name }) => name), ...fields, 'body']
}

function findUnbound(
  link: BoundLink,
  inputFields: ReadonlySet<string>,
  { siblings, at }: ModelValue,
): string[] {
  return [
    ...link.inputFields
      .filter((name) => !inputFields.has(name))
      .map(
        (name) =>
          ` reads input field '${name}', which the input model does not have${meant(name, inputFields)}`,
      ),
    ...link.siblings
      .filter((name) => !siblings.has(name))
      .map((name) => ` reads field '${name}', which ${at.model} does not have${meant(name, siblings)}`),
    ...link.problems().map((problem) => `: ${problem}`),
  ]
}

function meant(name: string, known: ReadonlySet<string>): string {
  // Of names of a letter or two, any is like any other.
  const like = name.length < 3 ? undefined : nearest(name, [...known])
  return like === undefined ? '' : `. Did you mean '${like}'?`
}

// Fields whose links cannot be read are in no circle; what is wrong with them is found where they stand.
function findCircles({ at, properties }: Fields, resolve: Resolve): readonly string[] {
  try {
    orderFields(at.model, new Map(properties.map(([name, part]) => [name, siblingsOf(part, resolve)])))
    return []
  } catch (error) {
    return error instanceof LinksInvalid ? error.problems : []
  }
}

/** A value in a model: the whole, a field, an item or an entry. */
export interface ModelValue {
  readonly schema: Schema
  readonly at: Position
  /** Names of the fields of the object it is a field of. */
  readonly siblings: ReadonlySet<string>
}

/** The fields of an object in a model, or of a union's member. */
export interface Fields {
  readonly at: Position
  readonly properties: readonly (readonly [string, SchemaOrBoolean])[]
}

/** Goes through a model, each part once: every value in it, and the fields of every object. */
export function walkModel(
  model: Schema,
  resolve: Resolve,
  onValue: (value: ModelValue) => void,
  onFields: (fields: Fields) => void,
): void {
  const fold = createFold(resolve)
  const seen = new Set<Schema>()
  const NONE: ReadonlySet<string> = new Set()

  const walk = (schema: SchemaOrBoolean, at: Position, siblings: ReadonlySet<string>): void => {
    if (typeof schema === 'boolean') return
    onValue({ schema, at, siblings })
    const folded = foldOrNothing(schema)
    if (typeof folded === 'object') walkInside(folded, positionWithin(schema, folded, at), [])
  }
  // A reference to nothing has no inside; whoever looks at its value finds out.
  const foldOrNothing = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    try {
      return fold(schema)
    } catch {
      return false
    }
  }
  const walkInside = (folded: Schema, at: Position, beside: Fields['properties']): void => {
    if (seen.has(folded)) return
    seen.add(folded)
    const properties = [...beside, ...propertiesOf(folded)]
    const names = new Set(properties.map(([name]) => name))
    onFields({ at, properties })
    for (const [name, part] of propertiesOf(folded)) walk(part, below(at, name), names)

    const { first, rest } = itemsOf(folded)
    for (const item of [...first, rest]) walk(item, itemOf(at), NONE)
    const entries = schemaEntriesOf(folded, 'patternProperties').map(([, part]) => part)
    for (const entry of [...entries, schemaOf(folded, 'additionalProperties') ?? true])
      walk(entry, itemOf(at), NONE)

    const members = ['anyOf', 'oneOf'].flatMap((keyword) => schemasOf(folded, keyword) ?? [])
    const conditional = ['then', 'else'].map((keyword) => schemaOf(folded, keyword) ?? true)
    for (const member of [...members, ...conditional]) {
      const inside = foldOrNothing(member)
      if (typeof inside === 'boolean' || typeof member === 'boolean') continue
      walkInside(inside, positionWithin(member, inside, at), properties)
    }
  }
  walk(model, { model: modelName(model), field: '' }, NONE)
}
