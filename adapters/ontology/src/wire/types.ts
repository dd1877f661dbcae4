import type { WireType } from '../fixture/read-data-type.ts'
import type { RidSource } from '../ontology/rids.ts'
import type { DataType } from '../values/data-type.ts'

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
