import { isLeafType, type GraphQLObjectType } from 'graphql'
import { contentStream, hashText, type Seed, type Stream } from '../engine/random.ts'
import { uuid } from '../engine/schema/formats.ts'
import { isObject } from '../engine/schema/schema.ts'
import { UUID } from '../shape/formats.ts'
import type { Collection, Item, Store } from '../state/store.ts'
import { agreeing } from './agreeing-fields.ts'
import { idKind, type MakeLeaf } from './leaf-values.ts'
import { namedTypeOf, type EntityType, type Field, type SchemaModel } from './model.ts'

/** An object with an id. Two of one id are one thing. */
export class Entity {
  readonly type: EntityType
  readonly id: string
  /** What was written of it; the rest is drawn. */
  readonly known: Item
  readonly stream: Stream

  constructor(type: EntityType, id: string, known: Item, stream: Stream) {
    this.type = type
    this.id = id
    this.known = known
    this.stream = stream
  }
}

/** What a world is drawn from and kept in. */
export interface WorldOptions {
  readonly model: SchemaModel
  readonly makeLeaf: MakeLeaf
  readonly seed: Seed
  readonly store: Store
  /** How many objects of each type there are before anything is written. */
  readonly count: number
  /** Whether only ids of the list are known. */
  readonly isClosed: boolean
}

/**
 * The objects of a schema: those that the store holds, and before anything of their type was written, those that the
 * seed gives. Each is a function of seed, type and id.
 */
export class ObjectGraph {
  readonly model: SchemaModel
  readonly #options: WorldOptions
  readonly #known = new Map<string, Entity>()
  readonly #made = new Map<string, { readonly value: unknown }>()
  readonly #first = new Map<string, readonly string[]>()
  readonly #streams = new Map<string, Stream>()
  readonly #lists = new Map<string, readonly Entity[]>()
  /** Counts what writes change, so that lists are read again. */
  #version = 0

  constructor(options: WorldOptions) {
    this.model = options.model
    this.#options = options
  }

  /** The draws of a place that no object has. */
  stream(name: string): Stream {
    const known = this.#streams.get(name) ?? contentStream(this.#options.seed, `graphql ${name}`)
    this.#streams.set(name, known)
    return known
  }

  leaf(parent: string, field: Field, stream: Stream): unknown {
    return this.#options.makeLeaf(parent, field, stream)
  }

  /** What follows from the objects as they are; it is made once until something is written. */
  once<Value>(place: string, make: () => Value): Value {
    const known = this.#made.get(place)
    if (known !== undefined) return known.value as Value
    const value = make()
    this.#made.set(place, { value })
    return value
  }

  /** All objects of a type, in their order. */
  all(type: EntityType): readonly Entity[] {
    const key = `${type.name} ${this.#version}`
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const list = this.ids(type).map((id) => this.#entity(type, id))
    this.#lists.set(key, list)
    return list
  }

  ids(type: EntityType): readonly string[] {
    const collection = this.#collection(type)
    if (!isWritten(collection)) return this.#firstIds(type)
    return [...collection.items()].map((item) => textOf(item[type.idField]))
  }

  /** An object as it is, or was, by what is known of it. */
  known(type: EntityType, id: string, known: Item): Entity {
    return new Entity(type, id, known, this.stream(type.name).childOf(id))
  }

  /** The object of an id; `undefined` where there is none. */
  find(type: EntityType, id: unknown): Entity | undefined {
    const text = textOf(id)
    const collection = this.#collection(type)
    if (isWritten(collection))
      return collection.get(text) === undefined ? undefined : this.#entity(type, text)
    if (this.#firstIds(type).includes(text)) return this.#entity(type, text)
    return this.isOpen(type) && isIdOf(type, text) ? this.#entity(type, text) : undefined
  }

  /** The object that an id alone names, where ids say of which type they are. */
  findAny(id: unknown): Entity | undefined {
    const name = Buffer.from(textOf(id), 'base64').toString('utf8').replace(/:.*$/s, '')
    const named = this.model.entities.get(name)
    if (named !== undefined) return this.find(named, id)
    for (const type of this.model.entities.values())
      if (isWritten(this.#collection(type)) && this.find(type, id) !== undefined) return this.find(type, id)
    return undefined
  }

  /** One of the objects of a type that is there, by chance; what is created later changes nothing about it. */
  pick(type: EntityType, stream: Stream): Entity | undefined {
    const share = stream.next()
    const first = this.#firstIds(type)
    const start = Math.floor(share * first.length)
    for (let step = 0; step < first.length; step++) {
      const found = this.find(type, first[(start + step) % first.length])
      if (found !== undefined) return found
    }
    const list = this.all(type)
    return list[Math.floor(share * list.length)]
  }

  /** Whether an object was there before anything was written. */
  isFirst({ type, id }: Entity): boolean {
    return this.#firstIds(type).includes(id)
  }

  /** The object of an id that may be of several types. */
  findAmong(types: readonly EntityType[], id: unknown): Entity | undefined {
    const [only] = types
    if (types.length === 1 && only !== undefined) return this.find(only, id)
    const any = this.findAny(id)
    if (any !== undefined && types.includes(any.type)) return any
    return this.findListed(types, id)
  }

  /** The object of an id that one of several types lists. */
  findListed(types: readonly EntityType[], id: unknown): Entity | undefined {
    const type = types.find((each) => this.ids(each).includes(textOf(id)))
    return type && this.find(type, id)
  }

  /** Whether there is an object of any id: until something of its type was written. */
  isOpen(type: EntityType): boolean {
    return !this.#options.isClosed && !isWritten(this.#collection(type))
  }

  /**
   * The object that has these values in these fields, or the objects of these ids, where ids can be any text and nothing
   * of its type was written.
   */
  findBy(type: EntityType, fields: Readonly<Record<string, string>>): Entity | undefined {
    if (!this.isOpen(type) || idKind(type.idType) !== 'text') return undefined
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}:${value}`)
      .join('\n')
    return this.#entity(type, this.#nodeId(type, text) ?? text)
  }

  /** Writes what is given of an object; whatever is not given stays. */
  put(type: EntityType, id: string, fields: Item): Entity {
    const collection = this.#written(type)
    const before = collection.get(id) ?? {}
    collection.set(id, { ...before, [type.idField]: this.idValue(type, id), ...fields })
    this.#version++
    this.#made.clear()
    this.#known.delete(`${type.name} ${id}`)
    return this.#entity(type, id)
  }

  remove(type: EntityType, id: string): boolean {
    const isGone = this.#written(type).delete(id)
    this.#version++
    this.#made.clear()
    this.#known.delete(`${type.name} ${id}`)
    return isGone
  }

  /** An id that no object has had. */
  nextId(type: EntityType): string {
    const collection = this.#written(type)
    for (;;) {
      const id = this.#idAt(type, collection.assigned++)
      if (collection.get(id) === undefined) return id
    }
  }

  /** An id as its field has it. */
  idValue(type: EntityType, id: string): unknown {
    return idKind(type.idType) === 'number' && /^-?\d+$/.test(id) ? Number(id) : id
  }

  #entity(type: EntityType, id: string): Entity {
    const key = `${type.name} ${id}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const stored = this.#collection(type).get(id) ?? namedIn(type, id)
    const entity = this.known(type, id, stored)
    this.#known.set(key, entity)
    return entity
  }

  #collection({ collection }: EntityType): Collection {
    return this.#options.store.collection(collection)
  }

  // With the first write, what was there until then is kept with it.
  #written(type: EntityType): Collection {
    const collection = this.#collection(type)
    if (isWritten(collection)) return collection
    const ids = this.#firstIds(type)
    for (const id of ids) collection.set(id, this.#firstItem(type, id))
    collection.assigned = ids.length
    this.#version++
    this.#made.clear()
    this.#known.clear()
    return collection
  }

  #firstItem(type: EntityType, id: string): Item {
    const entity = this.#entity(type, id)
    const item: Record<string, unknown> = { [type.idField]: this.idValue(type, id) }
    const read = (field: Field): unknown =>
      agreeing(type, field, this.leaf(type.name, field, entity.stream.child(hashText(field.name))), read)
    for (const field of Object.values(type.type.getFields()))
      if (isLeafType(namedTypeOf(field)) && field.args.length === 0 && field.name !== type.idField)
        item[field.name] = read(field)
    return item
  }

  #firstIds(type: EntityType): readonly string[] {
    const known = this.#first.get(type.name)
    if (known !== undefined) return known
    const ids = [...new Set(Array.from({ length: this.#options.count }, (_, at) => this.#idAt(type, at)))]
    this.#first.set(type.name, ids)
    return ids
  }

  // An id that says of which type it is, where ids alone name objects.
  #nodeId(type: EntityType, text: string): string | undefined {
    if (!this.model.hasNode || !isNode(type.type)) return undefined
    return Buffer.from(`${type.name}:${text}`).toString('base64')
  }

  #idAt(type: EntityType, at: number): string {
    const kind = idKind(type.idType)
    if (kind === 'uuid') return uuid(this.stream(`ids of ${type.name}`).child(at))
    const nodeId = kind === 'text' ? this.#nodeId(type, String(at + 1)) : undefined
    if (nodeId !== undefined) return nodeId
    const field = type.type.getFields()[type.idField] as Field
    // A code or a name is one that looks like it.
    if (kind === 'text' && type.idType !== 'ID' && !/id$/i.test(type.idField)) {
      return String(this.leaf(type.name, field, this.stream(`ids of ${type.name}`).child(at)))
    }
    return String(at + 1)
  }
}

// Of an object that was found by fields, the id says which and what it has there.
function namedIn(type: EntityType, id: string): Item {
  const decoded = Buffer.from(id, 'base64').toString('utf8')
  const text = decoded.startsWith(`${type.name}:`) ? decoded.slice(type.name.length + 1) : id
  const fields = text.split(/\n(?=[A-Za-z_]\w*:)/).flatMap((line): [string, unknown][] => {
    const [, name = '', value] = /^([A-Za-z_]\w*):(.*)$/s.exec(line) ?? []
    const own = type.type.getFields()[name]
    if (value === undefined || own === undefined || name === type.idField) return []
    return [[name, idKind(namedTypeOf(own).name) === 'number' ? Number(value) : value]]
  })
  return Object.fromEntries(fields)
}

function isNode(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node')
}

function isWritten({ size, assigned }: Collection): boolean {
  return size > 0 || assigned > 0
}

function isIdOf({ idType }: EntityType, id: string): boolean {
  const kind = idKind(idType)
  if (kind === 'number') return /^[1-9]\d{0,14}$/.test(id)
  return kind === 'uuid' ? UUID.test(id) : id !== ''
}

/** An id, or what holds one, as a text. */
export function textOf(id: unknown): string {
  if (isObject(id)) return textOf(id['id'] ?? Object.values(id)[0])
  return typeof id === 'string' ? id : (JSON.stringify(id) ?? '')
}
