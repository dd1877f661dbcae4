import type { InterfaceLinkFixture } from '../fixture/fixture.ts'
import type { InterfaceType, Property } from '../ontology/model.ts'
import { type Describing, given } from './object-types.ts'
import { wireDataType } from './types.ts'

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
export const describeSharedProperties = (describing: Describing): Json =>
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
