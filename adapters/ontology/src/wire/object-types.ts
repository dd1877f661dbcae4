import type { WireType } from '../fixture/read-data-type.ts'
import type { Implemented, LinkSide, ObjectType, Ontology, Property } from '../ontology/model.ts'
import type { RidSource } from '../ontology/rids.ts'
import type { DataType } from '../values/value.ts'

/** The type of a property as the service describes it. `names` lead to the property, for the fields' identifiers. */
export const wireDataType = (
  { type, subType, fields, precision, scale, dimension, itemType }: DataType,
  rids: RidSource,
  names: readonly string[],
): Record<string, unknown> => ({
  type,
  ...(subType !== undefined && { subType: wireDataType(subType, rids, names), reducers: [] }),
  ...(fields !== undefined && {
    structFieldTypes: [...fields].map(([apiName, dataType]) => ({
      apiName,
      rid: rids('structField', ...names, apiName),
      dataType: wireDataType(dataType, rids, [...names, apiName]),
      typeClasses: [],
    })),
  }),
  ...(precision !== undefined && { precision }),
  ...(scale !== undefined && { scale }),
  ...(type === 'vector' && { dimension: dimension ?? 0, supportsSearchWith: [] }),
  ...(itemType !== undefined && { itemType: { type: itemType } }),
})

/** The type of an action's parameter: structs there say of each field whether it must be given. */
export const wireParameterType = (type: WireType): Record<string, unknown> => ({
  ...type,
  ...(type.subType !== undefined && { subType: wireParameterType(type.subType) }),
  ...(type.fields !== undefined && {
    fields: type.fields.map(({ name, fieldType }) => ({
      name,
      fieldType: wireParameterType(fieldType),
      required: false,
    })),
  }),
})

type Json = Record<string, unknown>

/** Only what is there. */
export const given = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** How one ontology's types are described. */
export interface Describing {
  readonly ontology: Ontology
  readonly rids: RidSource
}

const property = (
  { apiName, type, rid, details }: Property,
  owner: string,
  { ontology, rids }: Describing,
): Json =>
  given({
    description: details?.description,
    displayName: details?.displayName ?? apiName,
    dataType: wireDataType(type, rids, [ontology.apiName, owner, apiName]),
    rid,
    status: { type: details?.status ?? 'active' },
    visibility: details?.visibility ?? 'NORMAL',
    typeClasses: [],
  })

/** An object type, as ObjectTypeV2. */
export const describeObjectType = (type: ObjectType, describing: Describing): Json => {
  const { apiName, rid, source, primaryKey, title } = type
  const displayName = source.displayName ?? apiName
  const icon = { color: '#2D72D2', name: 'cube', ...source.icon }
  return given({
    apiName,
    displayName,
    status: source.status ?? 'ACTIVE',
    description: source.description,
    pluralDisplayName: source.pluralDisplayName ?? `${displayName}s`,
    icon: { type: 'blueprint', color: icon.color, name: icon.name },
    primaryKey: primaryKey.apiName,
    properties: Object.fromEntries(
      [...type.properties.values()].map((each) => [each.apiName, property(each, apiName, describing)]),
    ),
    rid,
    titleProperty: title.apiName,
    visibility: source.visibility ?? 'NORMAL',
  })
}

/** One side of a link, as LinkTypeSideV2. */
export const describeLinkSide = ({
  apiName,
  displayName,
  status,
  target,
  isMany,
  foreignKey,
  rid,
}: LinkSide): Json =>
  given({
    apiName,
    displayName,
    status,
    objectTypeApiName: target.apiName,
    cardinality: isMany ? 'MANY' : 'ONE',
    foreignKeyPropertyApiName: foreignKey,
    linkTypeRid: rid,
  })

/** The interfaces that a type implements, as far as they may be seen. */
const seenInterfaces = ({ implemented }: ObjectType, { ontology }: Describing): [string, Implemented][] =>
  [...implemented].filter(([name]) => ontology.interfaceTypes.has(name))

const implementations = (type: ObjectType, describing: Describing): Json =>
  Object.fromEntries(
    seenInterfaces(type, describing).map(([name, { properties, links }]) => [
      name,
      {
        apiName: name,
        rid: describing.ontology.interfaceTypes.get(name)?.rid,
        properties: Object.fromEntries([...properties].map(([key, own]) => [key, own.apiName])),
        propertiesV2: Object.fromEntries(
          [...properties].map(([key, own]) => [
            key,
            { type: 'localPropertyImplementation', propertyApiName: own.apiName },
          ]),
        ),
        links: Object.fromEntries(links),
      },
    ]),
  )

/** An object type with its links and the interfaces it implements, as ObjectTypeFullMetadata. */
export const describeFully = (
  type: ObjectType,
  describing: Describing,
  wantedLinks?: readonly string[],
): Json => ({
  objectType: describeObjectType(type, describing),
  linkTypes: [...type.links.values()]
    .filter(({ apiName }) => wantedLinks?.includes(apiName) ?? true)
    .map(describeLinkSide),
  implementsInterfaces: seenInterfaces(type, describing).map(([name]) => name),
  implementsInterfaces2: implementations(type, describing),
  sharedPropertyTypeMapping: Object.fromEntries(
    seenInterfaces(type, describing).flatMap(([, { properties }]) =>
      [...properties].map(([key, own]) => [key, own.apiName]),
    ),
  ),
})
