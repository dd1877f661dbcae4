import type {
  ActionTypeFixture,
  InterfaceTypeFixture,
  KeyValue,
  ObjectTypeFixture,
  Properties,
  PropertyDetails,
  QueryTypeFixture,
  Status,
} from '../fixture/fixture.ts'
import type { Parameter, WireType } from '../fixture/read-data-type.ts'
import type { DataType } from '../values/value.ts'

/** An object. It never changes, and is never removed; `moment` is the change of the ontology that brought it. */
export interface OntologyObject {
  readonly type: ObjectType
  readonly key: KeyValue
  /** Its place among all objects of the ontology, in the order they came. */
  readonly sequence: number
  readonly moment: number
  readonly properties: Properties
}

export interface Property {
  readonly apiName: string
  readonly type: DataType
  readonly rid: string
  readonly details: PropertyDetails | undefined
}

/** The objects of a type, in the order they came. */
export interface ObjectTable {
  readonly all: readonly OntologyObject[]
  /** The moment of the last change. */
  readonly revision: number
  get(key: KeyValue): OntologyObject | undefined
  add(object: OntologyObject): void
}

/** How a type implements an interface: its own properties by those of the interface, and likewise its links. */
export interface Implemented {
  readonly properties: ReadonlyMap<string, Property>
  readonly links: ReadonlyMap<string, readonly string[]>
}

export interface ObjectType {
  readonly apiName: string
  readonly rid: string
  readonly source: ObjectTypeFixture
  readonly properties: ReadonlyMap<string, Property>
  readonly primaryKey: Property
  readonly title: Property
  readonly table: ObjectTable
  /** The links as seen from this type, by their names on this side. */
  readonly links: Map<string, LinkSide>
  readonly implemented: Map<string, Implemented>
}

/** One direction of a link. */
export interface LinkSide {
  readonly apiName: string
  readonly displayName: string
  readonly status: Status
  readonly rid: string
  readonly target: ObjectType
  readonly isMany: boolean
  /** The property of this side's type that names the other object. */
  readonly foreignKey: string | undefined
  /** The moment of the last change of what is linked. */
  readonly revision: () => number
  /** What is linked to an object at a moment, in the order it came. */
  readonly neighbours: (object: OntologyObject, moment: number) => readonly OntologyObject[]
}

/** A link type with explicit pairs: more can be added. */
export interface PairStore {
  readonly from: ObjectType
  readonly to: ObjectType
  has(from: OntologyObject, to: OntologyObject): boolean
  add(from: OntologyObject, to: OntologyObject, moment: number): void
}

export interface InterfaceType {
  readonly apiName: string
  readonly rid: string
  readonly source: InterfaceTypeFixture
  /** Its own first, then those of what it extends. */
  readonly lineage: readonly InterfaceType[]
  readonly properties: ReadonlyMap<string, Property>
  readonly implementers: readonly ObjectType[]
}

export interface ActionType {
  readonly apiName: string
  readonly rid: string
  readonly source: ActionTypeFixture
  readonly parameters: ReadonlyMap<string, Parameter>
}

export interface QueryType {
  readonly apiName: string
  readonly version: string
  readonly rid: string
  readonly source: QueryTypeFixture
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly output: WireType
}

export interface Ontology {
  readonly apiName: string
  readonly displayName: string
  readonly description: string
  readonly rid: string
  readonly objectTypes: ReadonlyMap<string, ObjectType>
  readonly pairs: ReadonlyMap<string, PairStore>
  readonly interfaceTypes: ReadonlyMap<string, InterfaceType>
  readonly actionTypes: ReadonlyMap<string, ActionType>
  /** All versions of each, the newest last. */
  readonly queryTypes: ReadonlyMap<string, readonly QueryType[]>
  readonly objects: OntologyObject[]
  /** How often it was changed since it was loaded. */
  moment: number
}
