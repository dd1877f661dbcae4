import { argumentsOf, type Call } from './call.ts'
import type { Item } from './objects.ts'
import type { ObjectSeen } from './call-sample.ts'

/** A member that objects are read by in place of their ids, and the argument with it. */
export interface NamedBy {
  readonly argument: string
  readonly member: string
  /** All values of the member. */
  readonly values: ReadonlySet<string>
}

/** Shorter values are met by chance, if they are of a member with another name. */
const MIN_NAME = 3

/**
 * The member that an argument always has the value of, where no two objects have the same: `bookByTitle(title: "Emma")`.
 * @param known all that is known of objects of the type by their ids
 */
export function namedBy(
  items: readonly { readonly call: Call; readonly seen: ObjectSeen }[],
  known: ReadonlyMap<string, Item>,
): NamedBy | undefined {
  const all = items.map(({ call, seen: { item, id } }) => ({
    args: argumentsOf(call),
    item: { ...known.get(String(item[id])), ...item },
  }))
  const [first] = all
  for (const argument of first?.args.keys() ?? [])
    for (const member of Object.keys(first?.item ?? {})) {
      const isNamed = ({ args, item }: (typeof all)[number]): boolean => {
        const wanted = args.get(argument)
        return (
          item[member] === wanted &&
          wanted !== undefined &&
          (argument === member || String(wanted).length >= MIN_NAME)
        )
      }
      if (!all.every(isNamed)) continue
      const values = [...known.values()].flatMap((item) => item[member] ?? []).map(String)
      const distinct = new Set(values)
      if (distinct.size === values.length && distinct.size > 1) return { argument, member, values: distinct }
    }
  return undefined
}
