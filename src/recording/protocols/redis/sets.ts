import type { Commands } from './command.ts'
import type { Store } from './store.ts'

/** Commands for sets. */
export const SETS: Commands = {
  sadd: [
    -3,
    ([key, ...members], store) => {
      const before = membersOf(store, key)
      const after = new Set([...before, ...members])
      put(store, key, after)
      return after.size - before.size
    },
  ],
  srem: [
    -3,
    ([key, ...members], store) => {
      const all = membersOf(store, key)
      const count = members.filter((member) => all.delete(member)).length
      put(store, key, all)
      return count
    },
  ],
  smembers: [2, ([key], store) => [...membersOf(store, key)]],
  sismember: [3, ([key, member], store) => Number(membersOf(store, key).has(member))],
  smismember: [
    -3,
    ([key, ...members], store) => {
      const all = membersOf(store, key)
      return members.map((member) => Number(all.has(member)))
    },
  ],
  scard: [2, ([key], store) => membersOf(store, key).size],
  smove: [
    4,
    ([from, to, member], store) => {
      const [all, others] = [membersOf(store, from), membersOf(store, to)]
      if (!all.delete(member)) return 0
      put(store, from, all)
      put(store, to, new Set([...(from === to ? all : others), member]))
      return 1
    },
  ],
  ...combined('inter', (a, b) => a.filter((member) => b.has(member))),
  ...combined('union', (a, b) => [...new Set([...a, ...b])]),
  ...combined('diff', (a, b) => a.filter((member) => !b.has(member))),
}

type Combine = (members: readonly string[], others: ReadonlySet<string>) => readonly string[]

function combined(name: string, combine: Combine): Commands {
  const of = (keys: readonly string[], store: Store): readonly string[] => {
    const [first = new Set<string>(), ...others] = keys.map((key) => membersOf(store, key))
    return others.reduce((members, each) => combine(members, each), inOrder(first))
  }
  return {
    [`s${name}`]: [-2, (keys, store) => inOrder(of(keys, store))],
    [`s${name}store`]: [
      -3,
      ([to, ...keys], store) => {
        const found = of(keys, store)
        store.delete(to)
        put(store, to, found)
        return found.length
      },
    ],
  }
}

function membersOf(store: Store, key: string): Set<string> {
  return new Set(store.get('set', key) ?? [])
}

function put(store: Store, key: string, members: Iterable<string>): void {
  store.change('set', key, inOrder(members))
}

// Whole numbers are kept in their order, and anything else in none that is known.
function inOrder(members: Iterable<string>): readonly string[] {
  const all = [...members]
  const areNumbers = all.every((each) => /^(0|-?[1-9]\d{0,14})$/.test(each))
  return areNumbers ? all.toSorted((a, b) => Number(a) - Number(b)) : all
}
