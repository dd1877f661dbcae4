import { ApiError, invalidArgument } from '../errors.ts'
import { type DataType, entryOf, isRecord } from '../values/value.ts'
import type { InterfaceType, ObjectType, OntologyObject } from './model.ts'

/** Something that can be read from each object of a set. */
export interface Field {
  readonly name: string
  readonly type: DataType
  readonly read: (object: OntologyObject) => unknown
}

/** What names mean in a set of objects. */
export interface Scope {
  /** The types that the set may hold. */
  readonly types: readonly ObjectType[]
  /** Set where the objects are seen as an interface: names are those of its properties. */
  readonly interfaceType: InterfaceType | undefined
  /** Whether the properties that no interface asks for are loaded too. */
  readonly isWhole: boolean
  /** Properties that the request itself defines. */
  readonly derived: ReadonlyMap<string, Field>
  /** How near each object is to what was searched for; undefined where nothing was. */
  readonly score: Field | undefined
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map()

/** The scope of objects as themselves. */
export const scopeOf = (...types: readonly ObjectType[]): Scope => ({
  types,
  interfaceType: undefined,
  isWhole: true,
  derived: NO_FIELDS,
  score: undefined,
})

/** What a scope is called in errors. */
export const scopeName = ({ interfaceType, types }: Scope): string =>
  interfaceType?.apiName ?? types.map(({ apiName }) => apiName).join(',')

const interfaceField = (type: InterfaceType, name: string): Field | undefined => {
  const property = type.properties.get(name)
  return (
    property && {
      name,
      type: property.type,
      read: (object) => {
        const own = object.type.implemented.get(type.apiName)?.properties.get(name)
        return own === undefined ? undefined : object.properties[own.apiName]
      },
    }
  )
}

/** The field of a name; undefined where no type of the scope has it. */
export const findField = ({ types, interfaceType, derived }: Scope, name: string): Field | undefined => {
  const special = derived.get(name) ?? (interfaceType && interfaceField(interfaceType, name))
  if (special !== undefined) return special
  const property = types.map(({ properties }) => properties.get(name)).find((found) => found !== undefined)
  return property && { name, type: property.type, read: ({ properties }) => properties[name] }
}

const propertyField = (scope: Scope, name: unknown): Field => {
  if (typeof name !== 'string') throw invalidArgument('a property is named by text')
  const field = findField(scope, name)
  if (field === undefined) {
    throw new ApiError('PropertiesNotFound', { objectType: scopeName(scope), properties: [name] })
  }
  return field
}

const structField = (outer: Field, name: unknown): Field => {
  const struct = outer.type.subType ?? outer.type
  const type = typeof name === 'string' ? struct.fields?.get(name) : undefined
  if (type === undefined || typeof name !== 'string') {
    throw new ApiError('PropertiesNotFound', { objectType: outer.name, properties: [name] })
  }
  const part = (value: unknown): unknown => (isRecord(value) ? value[name] : undefined)
  const isList = outer.type.type === 'array'
  return {
    name: `${outer.name}.${name}`,
    type: isList ? { type: 'array', subType: type } : type,
    read: (object) => {
      const value = outer.read(object)
      return isList && Array.isArray(value) ? value.map(part) : part(value)
    },
  }
}

const ownField = (scope: Scope, pick: 'title' | 'primaryKey'): Field => {
  const first = scope.types[0]
  if (first === undefined) throw new ApiError('IncompatibleNestedObjectSet')
  return {
    name: pick === 'title' ? 'titleProperty' : 'primaryKeyProperty',
    type: first[pick].type,
    read: ({ type, properties }) => properties[type[pick].apiName],
  }
}

/** Each form of a property identifier. */
const IDENTIFIERS: Readonly<Record<string, (scope: Scope, given: Record<string, unknown>) => Field>> = {
  property: (scope, { apiName }) => propertyField(scope, apiName),
  structField: (scope, { propertyApiName, structFieldApiName }) =>
    structField(propertyField(scope, propertyApiName), structFieldApiName),
  propertyWithLoadLevel: (scope, { propertyIdentifier }) => {
    if (isRecord(propertyIdentifier) && propertyIdentifier['type'] === 'propertyWithLoadLevel') {
      throw invalidArgument('a load level stands for one property, not for another load level')
    }
    return identifiedField(scope, propertyIdentifier)
  },
  titleProperty: (scope) => ownField(scope, 'title'),
  primaryKeyProperty: (scope) => ownField(scope, 'primaryKey'),
}

/** The field that a property identifier names. */
export const identifiedField = (scope: Scope, identifier: unknown): Field => {
  const find = isRecord(identifier) ? entryOf(IDENTIFIERS, identifier['type']) : undefined
  if (find === undefined || !isRecord(identifier)) {
    throw invalidArgument(`a property identifier is one of ${Object.keys(IDENTIFIERS).join(', ')}`)
  }
  return find(scope, identifier)
}

/** The field of a clause, which names it by exactly one of `field` and `propertyIdentifier`. */
export const fieldOf = (scope: Scope, clause: Readonly<Record<string, unknown>>): Field => {
  const { field, propertyIdentifier } = clause
  if ((field === undefined) === (propertyIdentifier === undefined)) {
    throw invalidArgument('a clause names its property by either `field` or `propertyIdentifier`')
  }
  return field === undefined ? identifiedField(scope, propertyIdentifier) : propertyField(scope, field)
}
