import type { InterfaceLinkFixture } from '../fixture/fixture.ts'
import type { ActionType, InterfaceType, Ontology, Property, QueryType } from '../ontology/model.ts'
import { describeFully, type Describing, given, wireDataType, wireParameterType } from './object-types.ts'

type Json = Record<string, unknown>

const shared = (
  { apiName, rid, type, details }: Property,
  owner: string,
  { ontology, rids }: Describing,
): Json =>
  given({
    rid,
    apiName,
    displayName: details?.displayName ?? apiName,
    description: details?.description,
    dataType: wireDataType(type, rids, [ontology.apiName, owner, apiName]),
  })

const linkOf = (
  apiName: string,
  { displayName, description, rid, target, cardinality = 'MANY', required = false }: InterfaceLinkFixture,
  owner: InterfaceType,
  { ontology, rids }: Describing,
): Json =>
  given({
    rid: rid ?? rids('interfaceLink', ontology.apiName, owner.apiName, apiName),
    apiName,
    displayName: displayName ?? apiName,
    description,
    linkedEntityApiName: {
      type: ontology.interfaceTypes.has(target) ? 'interfaceTypeApiName' : 'objectTypeApiName',
      apiName: target,
    },
    cardinality,
    required,
  })

/** The links of an interface by their names; with those of what it extends where `isAll`. */
export const describeInterfaceLinks = (
  type: InterfaceType,
  describing: Describing,
  isAll: boolean,
): Record<string, Json> =>
  Object.fromEntries(
    (isAll ? type.lineage.toReversed() : [type]).flatMap((owner) =>
      Object.entries(owner.source.links ?? {}).map(([name, link]) => [
        name,
        linkOf(name, link, owner, describing),
      ]),
    ),
  )

/** An interface type, as InterfaceType. */
export const describeInterface = (type: InterfaceType, describing: Describing): Json => {
  const own = Object.keys(type.source.properties ?? {})
  const mapped = (names: readonly string[], describe: (property: Property) => Json): Json =>
    Object.fromEntries(
      names.flatMap((name) => {
        const property = type.properties.get(name)
        return property === undefined ? [] : [[name, describe(property)] as const]
      }),
    )
  const all = [...type.properties.keys()]
  const v1 = (property: Property): Json => ({
    ...shared(property, type.apiName, describing),
    required: true,
    typeClasses: [],
  })
  return given({
    rid: type.rid,
    apiName: type.apiName,
    displayName: type.source.displayName ?? type.apiName,
    description: type.source.description,
    properties: mapped(own, v1),
    allProperties: mapped(all, v1),
    propertiesV2: mapped(own, (property) => ({ type: 'interfaceSharedPropertyType', ...v1(property) })),
    allPropertiesV2: mapped(all, (property) => ({
      ...shared(property, type.apiName, describing),
      requireImplementation: true,
    })),
    extendsInterfaces: type.source.extends ?? [],
    allExtendsInterfaces: type.lineage.slice(1).map(({ apiName }) => apiName),
    implementedByObjectTypes: type.implementers.map(({ apiName }) => apiName),
    links: describeInterfaceLinks(type, describing, false),
    allLinks: describeInterfaceLinks(type, describing, true),
  })
}

/** The properties that interfaces share with the types that implement them, as SharedPropertyType. */
const describeSharedProperties = (describing: Describing): Json =>
  Object.fromEntries(
    [...describing.ontology.interfaceTypes.values()].flatMap((type) =>
      Object.keys(type.source.properties ?? {}).flatMap((name) => {
        const property = type.properties.get(name)
        return property === undefined
          ? []
          : [[name, { ...shared(property, type.apiName, describing), typeClasses: [] }] as const]
      }),
    ),
  )

/** An ontology, as OntologyV2. */
export const describeOntology = ({ apiName, displayName, description, rid }: Ontology): Json => ({
  apiName,
  displayName,
  description,
  rid,
})

/** An action type, as ActionTypeV2. */
export const describeAction = ({ apiName, rid, source, parameters }: ActionType): Json =>
  given({
    apiName,
    displayName: source.displayName ?? apiName,
    description: source.description,
    status: source.status ?? 'ACTIVE',
    parameters: Object.fromEntries(
      [...parameters].map(([id, { type, isRequired, displayName, description }]) => [
        id,
        given({
          displayName: displayName ?? id,
          description,
          dataType: wireParameterType(type),
          required: isRequired,
          typeClasses: [],
        }),
      ]),
    ),
    rid,
    operations: source.operations ?? [],
  })

/** A query type, as QueryTypeV2. */
export const describeQuery = ({ apiName, version, rid, source, parameters, output }: QueryType): Json =>
  given({
    apiName,
    displayName: source.displayName ?? apiName,
    description: source.description,
    parameters: Object.fromEntries(
      [...parameters].map(([id, { type, description }]) => [id, given({ description, dataType: type })]),
    ),
    output,
    rid,
    version,
    typeReferences: {},
  })

/** Which of an ontology's things to describe; all of a list when it is undefined. */
export interface Wanted {
  readonly objectTypes?: readonly string[]
  readonly linkTypes?: readonly string[]
  readonly actionTypes?: readonly string[]
  readonly queryTypes?: readonly string[]
  readonly interfaceTypes?: readonly string[]
}

/** All or some of an ontology, as OntologyFullMetadata. */
export const describeEverything = (describing: Describing, wanted: Wanted = {}): Json => {
  const { ontology } = describing
  const isWanted = (names: readonly string[] | undefined, name: string): boolean =>
    names?.includes(name) ?? true
  const pick = <Item>(
    items: Iterable<Item>,
    names: readonly string[] | undefined,
    nameOf: (item: Item) => string,
    describe: (item: Item) => Json,
  ): Json =>
    Object.fromEntries(
      [...items]
        .filter((item) => isWanted(names, nameOf(item)))
        .map((item) => [nameOf(item), describe(item)]),
    )
  return {
    ontology: describeOntology(ontology),
    objectTypes: pick(
      ontology.objectTypes.values(),
      wanted.objectTypes,
      ({ apiName }) => apiName,
      (type) => describeFully(type, describing, wanted.linkTypes),
    ),
    actionTypes: pick(
      ontology.actionTypes.values(),
      wanted.actionTypes,
      ({ apiName }) => apiName,
      describeAction,
    ),
    queryTypes: pick(
      [...ontology.queryTypes.values()].flat(),
      wanted.queryTypes,
      ({ apiName, version }) => `${apiName}:${version}`,
      describeQuery,
    ),
    interfaceTypes: pick(
      ontology.interfaceTypes.values(),
      wanted.interfaceTypes,
      ({ apiName }) => apiName,
      (type) => describeInterface(type, describing),
    ),
    sharedPropertyTypes: describeSharedProperties(describing),
    valueTypes: {},
  }
}
