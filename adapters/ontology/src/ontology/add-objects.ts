import { keyOf } from '../fixture/check-objects.ts'
import type { Properties } from '../fixture/fixture.ts'
import type { ObjectType, Ontology } from './model.ts'

/** Adds objects that were checked before, at the ontology's present moment. */
export const addObjects = (ontology: Ontology, type: ObjectType, objects: readonly Properties[]): void => {
  const { apiName, type: keyType } = type.primaryKey
  for (const properties of objects) {
    const object = {
      type,
      key: keyOf(properties[apiName], keyType),
      ordinal: ontology.objects.length,
      moment: ontology.moment,
      properties,
    }
    ontology.objects.push(object)
    type.table.add(object)
  }
}
