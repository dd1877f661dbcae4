import type { KeyValue } from '../fixture/fixture.ts'
import type { ObjectTable, OntologyObject } from './model.ts'

/** An empty table. A get is one look into an index, whatever the number of objects. */
export const createObjectTable = (): ObjectTable => {
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
