import { implementationsOf } from '../fixture/check-interfaces.ts'
import type {
  InterfaceTypeFixture,
  KeyValue,
  ObjectTypeFixture,
  PropertyFixture,
} from '../fixture/fixture.ts'
import { propertiesOf, readProperties } from '../fixture/property-types.ts'
import { IGNORE } from '../fixture/report.ts'
import type { DataType } from '../values/value.ts'
import type { InterfaceType, ObjectTable, ObjectType, OntologyObject, Property } from './model.ts'
import type { RidSource } from './rids.ts'

/** An empty table. A get is one look into an index, whatever the number of objects. */
const createObjectTable = (): ObjectTable => {
  const all: OntologyObject[] = []
  const byKey = new Map<KeyValue, OntologyObject>()
  let revision = 0
  return {
    all,
    get revision() {
      return revision
    },
    get: (key) => byKey.get(key),
    add(object) {
      all.push(object)
      byKey.set(object.key, object)
      revision = object.moment
    },
  }
}

const detailsOf = (source: PropertyFixture | undefined) => (typeof source === 'object' ? source : undefined)

const buildProperties = (
  types: ReadonlyMap<string, DataType>,
  sources: Readonly<Record<string, PropertyFixture>> | undefined,
  ridOf: (name: string) => string,
): Map<string, Property> =>
  new Map(
    [...types].map(([apiName, type]) => {
      const details = detailsOf(sources?.[apiName])
      return [apiName, { apiName, type, details, rid: details?.rid ?? ridOf(apiName) }]
    }),
  )

/** An object type without objects and links as yet. */
export const buildObjectType = (source: ObjectTypeFixture, ontology: string, rids: RidSource): ObjectType => {
  const { apiName, primaryKey, titleProperty = primaryKey, rid } = source
  const properties = buildProperties(propertiesOf(source), source.properties, (name) =>
    rids('property', ontology, apiName, name),
  )
  const key: Property = properties.get(primaryKey) ?? {
    apiName: primaryKey,
    type: { type: 'string' },
    rid: rids('property', ontology, apiName, primaryKey),
    details: undefined,
  }
  return {
    apiName,
    rid: rid ?? rids('objectType', ontology, apiName),
    source,
    properties,
    primaryKey: key,
    title: properties.get(titleProperty) ?? key,
    table: createObjectTable(),
    links: new Map(),
    implemented: new Map(),
  }
}

const implementers = (names: ReadonlySet<string>, types: ReadonlyMap<string, ObjectType>): ObjectType[] =>
  [...types.values()].filter((type) => implementationsOf(type.source).some(([name]) => names.has(name)))

/** The interface types, each with what it takes from those it extends. */
export const buildInterfaceTypes = (
  sources: readonly InterfaceTypeFixture[],
  types: ReadonlyMap<string, ObjectType>,
  ontology: string,
  rids: RidSource,
): Map<string, InterfaceType> => {
  const byName = new Map(sources.map((source) => [source.apiName, source]))
  const built = new Map<string, InterfaceType>()

  const build = (source: InterfaceTypeFixture): InterfaceType => {
    const before = built.get(source.apiName)
    if (before !== undefined) return before
    const { apiName, rid, properties = {} } = source
    const parents = (source.extends ?? []).flatMap((name) => byName.get(name) ?? []).map(build)
    const above = [...new Set(parents.flatMap(({ lineage }) => lineage))]
    const own = buildProperties(readProperties(properties, [], IGNORE), properties, (name) =>
      rids('property', ontology, apiName, name),
    )
    const family = new Set([apiName, ...descendants(apiName, sources)])
    const lineage: InterfaceType[] = []
    const type: InterfaceType = {
      apiName,
      rid: rid ?? rids('interfaceType', ontology, apiName),
      source,
      lineage,
      properties: new Map([...above.toReversed().flatMap((parent) => [...parent.properties]), ...own]),
      implementers: implementers(family, types),
    }
    lineage.push(type, ...above)
    built.set(apiName, type)
    return type
  }
  for (const source of sources) build(source)
  for (const type of types.values()) implement(type, built)
  return built
}

const descendants = (apiName: string, sources: readonly InterfaceTypeFixture[]): string[] =>
  sources
    .filter((source) => source.extends?.includes(apiName))
    .flatMap((source) => [source.apiName, ...descendants(source.apiName, sources)])

/** An implementation of an interface is one of all that it extends. */
const implement = (type: ObjectType, interfaces: ReadonlyMap<string, InterfaceType>): void => {
  for (const [name, { properties = {}, links = {} }] of implementationsOf(type.source)) {
    for (const each of interfaces.get(name)?.lineage ?? []) {
      type.implemented.set(each.apiName, {
        properties: new Map(
          [...each.properties.keys()].flatMap((key) => {
            const property = type.properties.get(properties[key] ?? key)
            return property === undefined ? [] : [[key, property] as const]
          }),
        ),
        links: new Map(Object.entries(links)),
      })
    }
  }
}
