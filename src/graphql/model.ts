import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { remembered } from '../engine/lazy.ts'
import { singularOf } from '../openapi/serve/resource/path-words.ts'

export type Field = GraphQLField<unknown, unknown>

/** A type of objects that have an id, and so are the same wherever they appear. */
export interface EntityType {
  readonly name: string
  readonly type: GraphQLObjectType
  /** The field that holds the id. */
  readonly idField: string
  readonly idType: string
  /** What its collection is called in the store. */
  readonly collection: string
}

/** How the objects of one type are found by those of another: `User.posts` by `Post.author`. */
export interface Relation {
  /** The field of the other type that leads back; `undefined` where none does. */
  readonly back: string | undefined
  /** Whether that field has many objects itself. */
  readonly isMutual: boolean
}

/** What is known of a schema's types before any request. */
export interface SchemaModel {
  readonly schema: GraphQLSchema
  readonly entities: ReadonlyMap<string, EntityType>
  /** Whether ids say of which type they are, as `node(id)` needs. */
  readonly hasNode: boolean
  entityOf(type: GraphQLOutputType | undefined): EntityType | undefined
  /** The entity types that a type may stand for. */
  entitiesOf(type: GraphQLOutputType): readonly EntityType[]
  /** The entity types that an object lists which is not one itself, such as a connection; `undefined` for others. */
  listedBy(type: GraphQLOutputType): Listed | undefined
  relation(parent: GraphQLObjectType, field: string): Relation
}

/** The field of a wrapper around a list, and what it lists. */
export interface Listed {
  readonly field: string
  /** Whether it lists edges, which have a node each. */
  readonly isEdges: boolean
  readonly of: GraphQLOutputType
}

/** The field's type without the words that it is a list, or must be there. */
export function namedTypeOf({ type }: Pick<Field, 'type'>): GraphQLNamedOutputType {
  return getNamedType(type)
}

export function isList({ type }: Pick<Field, 'type'>): boolean {
  return isListType(getNullableType(type))
}

/** Reads what a schema's types are to each other. */
export function createModel(schema: GraphQLSchema): SchemaModel {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const keys = keysOfQueries(schema)
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const entities = new Map<string, EntityType>()
  for (const type of types) {
    if (roots.includes(type) || type.name.startsWith('__')) continue
    const idField = idFieldOf(type, keys.get(type.name))
    if (idField === undefined) continue
    const idType = namedTypeOf(type.getFields()[idField] as Field).name
    entities.set(type.name, {
      name: type.name,
      type,
      idField,
      idType,
      collection: `/${pluralOf(lowerFirst(type.name))}`,
    })
  }
  const entityOf: SchemaModel['entityOf'] = (type) =>
    type === undefined ? undefined : entities.get(getNamedType(type).name)
  const entitiesOf = (type: GraphQLOutputType): readonly EntityType[] => {
    const named = getNamedType(type)
    if (isObjectType(named)) return [entities.get(named.name) ?? []].flat()
    if (!isInterfaceType(named) && !isUnionType(named)) return []
    return schema.getPossibleTypes(named).flatMap((each) => entities.get(each.name) ?? [])
  }
  const listedBy = remembered((name: string): { readonly listed: Listed | undefined } => {
    const listed = findListed(schema.getType(name) as GraphQLObjectType, entitiesOf)
    // A list of plain values, as of tags, has no objects to go through.
    return { listed: listed && isLeafType(getNamedType(listed.of)) ? undefined : listed }
  })
  const relations = new Map<string, Relation>()
  const model: SchemaModel = {
    schema,
    entities,
    hasNode: schema.getQueryType()?.getFields()['node'] !== undefined,
    entityOf,
    entitiesOf,
    listedBy(type) {
      // Each of several wrappers has a list of its own.
      if (isListType(getNullableType(type))) return undefined
      const named = getNamedType(type)
      return isObjectType(named) && !entities.has(named.name) ? listedBy(named.name).listed : undefined
    },
    relation(parent, field) {
      const key = `${parent.name}.${field}`
      const known = relations.get(key) ?? findRelation(parent, parent.getFields()[field] as Field, model)
      relations.set(key, known)
      return known
    },
  }
  return model
}

const ID_NAMES = ['id', '_id', 'ID', 'Id', 'uuid', 'guid', 'nodeId', 'pk']

function idFieldOf(type: GraphQLObjectType, key: string | undefined): string | undefined {
  const fields = Object.values(type.getFields()).filter(
    (field) => isLeafType(namedTypeOf(field)) && !isList(field),
  )
  const own = [...ID_NAMES, `${lowerFirst(type.name)}Id`, `${snakeOf(type.name)}_id`]
  const found = own.find((name) => fields.some((field) => field.name === name)) ?? key
  if (found !== undefined) return found
  // A field that is an id and must be there, where it is the only one.
  const ids = fields.filter((field) => String(field.type) === 'ID!')
  return ids.length === 1 ? ids[0]?.name : undefined
}

// `country(code: ID!): Country` says by what a country is known.
function keysOfQueries(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const type = namedTypeOf(field)
    const required = field.args.filter(({ type: given }) => String(given).endsWith('!'))
    const [only] = required.length === 0 && field.args.length === 1 ? field.args : required
    if (!isObjectType(type) || isList(field) || required.length > 1 || only === undefined) continue
    const own = type.getFields()[only.name]
    if (own !== undefined && isLeafType(namedTypeOf(own)) && !isList(own)) keys.set(type.name, only.name)
  }
  return keys
}

function findListed(type: GraphQLObjectType, entitiesOf: SchemaModel['entitiesOf']): Listed | undefined {
  const lists = Object.values(type.getFields()).filter((field) => isList(field))
  for (const field of lists) {
    const edge = namedTypeOf(field)
    const node = isObjectType(edge) && entitiesOf(edge).length === 0 ? edge.getFields()['node'] : undefined
    if (node !== undefined) return { field: field.name, isEdges: true, of: node.type }
  }
  const [only, ...others] = lists.filter((field) => entitiesOf(field.type).length > 0)
  return only === undefined || others.length > 0
    ? undefined
    : { field: only.name, isEdges: false, of: only.type }
}

const BACK_NAMES = ['author', 'owner', 'user', 'creator', 'createdBy', 'parent']

function findRelation(parent: GraphQLObjectType, field: Field, model: SchemaModel): Relation {
  const listed = model.listedBy(field.type)?.of ?? field.type
  const [target, ...others] = model.entitiesOf(listed)
  if (target === undefined || others.length > 0) return { back: undefined, isMutual: false }
  const own = [parent.name, ...parent.getInterfaces().map(({ name }) => name)]
  const leading = Object.values(target.type.getFields()).filter((each) => {
    if (each.args.some(({ type }) => String(type).endsWith('!'))) return false
    const back = model.listedBy(each.type)?.of ?? each.type
    return own.includes(getNamedType(back).name)
  })
  const isMany = (each: Field): boolean => isList(each) || model.listedBy(each.type) !== undefined
  const singles = leading.filter(
    (each) => !isMany(each) && !(target.type === parent && each.name === field.name),
  )
  const back = nearestBack(singles, field, parent)
  if (back !== undefined) return { back: back.name, isMutual: false }
  // Of a type with itself, as for friends.
  const lists = leading.filter(isMany)
  const many = lists.find(({ name }) => target.type !== parent || name !== field.name) ?? lists[0]
  return many === undefined ? { back: undefined, isMutual: false } : { back: many.name, isMutual: true }
}

function nearestBack(
  singles: readonly Field[],
  { name }: Field,
  parent: GraphQLObjectType,
): Field | undefined {
  const lower = name.toLowerCase()
  return (
    singles.find((each) => lower.includes(each.name.toLowerCase())) ??
    singles.find((each) => each.name.toLowerCase() === parent.name.toLowerCase()) ??
    singles.find((each) => BACK_NAMES.includes(each.name)) ??
    singles[0]
  )
}

export function lowerFirst(text: string): string {
  return text.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase())
}

export function snakeOf(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}

/** A noun in the plural, as far as its ending shows. */
export function pluralOf(noun: string): string {
  if (/person$/i.test(noun)) return noun.replace(/person$/i, 'people')
  if (/child$/i.test(noun)) return `${noun}ren`
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return `${noun}s`
}

/** Whether two names mean one kind of thing: `users`, `User`, `allUsers` and `user_list` do. */
export function isAbout(name: string, type: string): boolean {
  const plain = snakeOf(name).replace(/[^a-z\d]+/g, '')
  const own = snakeOf(type).replace(/[^a-z\d]+/g, '')
  return (
    plain.includes(own) ||
    plain.includes(snakeOf(pluralOf(type)).replace(/_/g, '')) ||
    singularOf(plain) === own
  )
}
