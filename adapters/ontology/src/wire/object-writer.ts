import { ApiError, invalidArgument } from '../errors.ts'
import type { ObjectType, OntologyObject } from '../ontology/model.ts'
import type { ObjectRids } from '../ontology/rids.ts'
import { type Field, findField, identifiedField, type Scope, scopeName } from '../ontology/scope.ts'
import { encode } from '../values/kinds.ts'
import { isRecord, textOf, textsOf } from '../values/value.ts'

/** How objects are to be written. */
export interface Writing {
  /** The properties requested; all when undefined. */
  readonly select: readonly string[] | undefined
  readonly excludeRid: boolean
  /** What the names of an object's metadata begin with. */
  readonly prefix: '__' | '$'
  /** Whether properties go by the names of the interface that the set is seen as. */
  readonly asInterface: boolean
  /** What is written as the object's score, where objects are ordered by it. */
  readonly score?: Field | undefined
}

type ObjectWriter = (object: OntologyObject) => Record<string, unknown>

/** A property in the answer: the name it has there, and where it comes from. */
interface Column {
  readonly key: string
  readonly field: Field
}

const ownField = (name: string, { properties }: ObjectType): Field | undefined => {
  const property = properties.get(name)
  return property && { name, type: property.type, read: (object) => object.properties[name] }
}

/** The columns of all that is loaded without a request: vectors are not. */
const allColumns = (type: ObjectType, scope: Scope, { asInterface }: Writing): Column[] => {
  const { interfaceType, isWhole, derived } = scope
  const extra = [...derived.values()].map((field) => ({ key: field.name, field }))
  if (interfaceType !== undefined && asInterface) {
    const named = [...interfaceType.properties.keys()].flatMap((key) => findField(scope, key) ?? [])
    return [...named.map((field) => ({ key: field.name, field })), ...extra]
  }
  const implemented = interfaceType && type.implemented.get(interfaceType.apiName)?.properties
  const names =
    isWhole || implemented === undefined
      ? [...type.properties.values()].filter((property) => property.type.type !== 'vector')
      : [type.primaryKey, ...implemented.values()]
  const own = [...new Set(names.map(({ apiName }) => apiName))].flatMap((name) => ownField(name, type) ?? [])
  return [...own.map((field) => ({ key: field.name, field })), ...extra]
}

/** The columns of what was requested; the key is always among them. */
const selectedColumns = (type: ObjectType, scope: Scope, { select = [], asInterface }: Writing): Column[] => {
  const implemented = scope.interfaceType && type.implemented.get(scope.interfaceType.apiName)?.properties
  const columns = select.flatMap((name): Column[] => {
    const own = implemented?.get(name)?.apiName ?? name
    const field = scope.derived.get(name) ?? ownField(own, type)
    return field === undefined ? [] : [{ key: asInterface ? name : field.name, field }]
  })
  const key = type.primaryKey.apiName
  const keyField = ownField(key, type)
  const hasKey = asInterface || columns.some((column) => column.key === key)
  return hasKey || keyField === undefined ? columns : [{ key, field: keyField }, ...columns]
}

/** Makes the JSON of a set's objects. Absent values are left out. */
export const createObjectWriter = (scope: Scope, writing: Writing, rids: ObjectRids): ObjectWriter => {
  const columns = new Map<ObjectType, readonly Column[]>()
  const { prefix, excludeRid, select, score } = writing

  const columnsOf = (type: ObjectType): readonly Column[] => {
    const known = columns.get(type)
    if (known !== undefined) return known
    const made = (select === undefined ? allColumns : selectedColumns)(type, scope, writing)
    columns.set(type, made)
    return made
  }

  return (object) => {
    const { type, key, properties } = object
    const title = properties[type.title.apiName]
    const written: Record<string, unknown> = {
      ...(!excludeRid && { [`${prefix}rid`]: rids.of(object) }),
      [`${prefix}primaryKey`]: key,
      [`${prefix}apiName`]: type.apiName,
    }
    if (title !== undefined && title !== null) {
      const text = encode(title, type.title.type)
      written[`${prefix}title`] = typeof text === 'string' ? text : JSON.stringify(text)
    }
    if (score !== undefined) written[`${prefix}score`] = score.read(object)
    for (const { key: name, field } of columnsOf(type)) {
      const value = field.read(object)
      if (value !== undefined && value !== null) written[name] = encode(value, field.type)
    }
    return written
  }
}

/** Checks that properties requested exist, and answers them; undefined when none were named, which means all. */
export const selectionOf = (names: readonly unknown[], scope: Scope): readonly string[] | undefined => {
  const texts = textsOf(names)
  const unknown = texts.filter((name) => findField(scope, name) === undefined)
  if (unknown.length > 0) {
    throw new ApiError('PropertiesNotFound', { objectType: scopeName(scope), properties: unknown })
  }
  return texts.length === 0 ? undefined : texts
}

/** The selection of a body: names under `select`, or identifiers under `selectV2`. */
export const selectionFromBody = (
  { select = [], selectV2 = [] }: Readonly<Record<string, unknown>>,
  scope: Scope,
): readonly string[] | undefined => {
  if (!Array.isArray(select) || !Array.isArray(selectV2))
    throw invalidArgument('`select` and `selectV2` are lists')
  if (select.length > 0 && selectV2.length > 0)
    throw invalidArgument('use either `select` or `selectV2`, not both')
  const names = selectV2.map((identifier: unknown) => {
    const isField = isRecord(identifier) && identifier['type'] === 'structField'
    const { name } = identifiedField(scope, identifier)
    return isField ? textOf(identifier['propertyApiName']) : name
  })
  return selectionOf([...select, ...names], scope)
}
