import { isDeepStrictEqual } from 'node:util'
import type { FileOptions } from '../../../engine/file-option.ts'
import { pathShape } from '../../../routing/path-template.ts'
import { madeKind } from '../../../shape/made-values.ts'
import type { Item } from '../item-place.ts'
import type { SightingsOf } from '../parents.ts'
import type { Resource } from '../resources.ts'
import { pathOf } from '../sample.ts'
import type { LearnedFileRoute } from './learn-files.ts'

/** An item before and after its file was stored. */
interface Storing {
  readonly before: Item
  readonly after: Item
  /** What the bytes come to, by facts. */
  readonly facts: Readonly<Record<string, string>>
}

/** The item that the files of a route belong to, and what that has once one is stored; `undefined` where there is none. */
export function owningItemOf(
  { host, options, samples, stored }: LearnedFileRoute,
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): FileOptions['item'] {
  const { in: at = '', tree } = options
  const owner = resources.find(
    (each) => each.host === host && pathShape(each.path) === pathShape(at) && each.path !== each.collection,
  )
  if (owner === undefined || tree !== undefined || !at.endsWith('}')) return undefined
  const sightings = sightingsOf(owner)
  const storings = samples.flatMap((sample): readonly Storing[] => {
    const segments = sample.segments.slice(0, at.split('/').length - 1)
    const [seen, id] = [sightings.get(pathOf({ segments: segments.slice(0, -1) })), segments.at(-1) ?? '']
    const [before, after] = [seen?.before(id, sample.index)?.item, seen?.after(id, sample.index)?.item]
    const facts = stored.get(sample.index)
    return before && after && facts ? [{ before, after, facts }] : []
  })
  const names = new Set(storings.flatMap(({ after }) => Object.keys(after)))
  const sets = [...names].flatMap((name): [string, unknown][] => {
    const value = valueSet(name, storings)
    return value === undefined ? [] : [[name, value]]
  })
  return { at, ...(sets.length > 0 && { sets: Object.fromEntries(sets) }) }
}

// What is of the bytes in all of them, or another value than before that is the same in all.
function valueSet(name: string, storings: readonly Storing[]): unknown {
  const [first] = storings
  const isChanged = storings.some(({ before, after }) => !isDeepStrictEqual(before[name], after[name]))
  if (first === undefined || !isChanged) return undefined
  const isFact = (fact: string): boolean =>
    storings.every(({ after, facts }) => {
      const value = fact === 'size' ? Number(facts[fact]) : facts[fact]
      return value !== undefined && after[name] === value
    })
  const fact = Object.keys(first.facts).find(isFact)
  if (fact !== undefined) return `{${fact}}`
  const value = first.after[name]
  const isMade = typeof value === 'string' && (madeKind(value) !== undefined || /[{}]/.test(value))
  const isPlain = value === null || typeof value !== 'object'
  const isSame = storings.every(({ after }) => after[name] === value)
  // Numbers count something.
  return isPlain && isSame && !isMade && typeof value !== 'number' ? value : undefined
}
