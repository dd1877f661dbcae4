import type { KeyValue } from '../fixture/fixture.ts'
import { keyOf } from '../fixture/check-objects.ts'
import type { LinkSide, ObjectType, OntologyObject } from './model.ts'

type Neighbours = LinkSide['neighbours']

const NONE: readonly OntologyObject[] = []

/** A link that a property of one side holds. Nothing is stored: an index of the holders is kept up when asked. */
export const createForeignKeyLink = (
  holder: ObjectType,
  target: ObjectType,
  foreignKey: string,
): { readonly toTarget: Neighbours; readonly toHolders: Neighbours } => {
  const holders = new Map<KeyValue, OntologyObject[]>()
  let indexed = 0

  const keyIn = (object: OntologyObject): KeyValue | undefined => {
    const value = object.properties[foreignKey]
    return value === undefined || value === null ? undefined : keyOf(value, target.primaryKey.type)
  }

  const keepUp = (): void => {
    for (; indexed < holder.table.all.length; indexed++) {
      const object = holder.table.all[indexed]
      const key = object && keyIn(object)
      if (object === undefined || key === undefined) continue
      const list = holders.get(key)
      if (list === undefined) holders.set(key, [object])
      else list.push(object)
    }
  }

  return {
    toTarget(object, moment) {
      const key = keyIn(object)
      const found = key === undefined ? undefined : target.table.get(key)
      return found === undefined || found.moment > moment ? NONE : [found]
    },
    toHolders(object, moment) {
      keepUp()
      const found = holders.get(object.key) ?? NONE
      return (found.at(-1)?.moment ?? 0 > moment) ? found.filter((each) => each.moment <= moment) : found
    },
  }
}
