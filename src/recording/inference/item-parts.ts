import { isDeepStrictEqual } from 'node:util'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import type { Item } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'
import { isScalar } from './values.ts'
import { otherPath, type Sightings } from './sightings.ts'

/** Where a path below that of an item answers a part of it. */
interface ItemPart {
  readonly at: string
  /** The names that lead to the part within the item, and within answers. */
  readonly part: readonly string[]
  readonly answer: readonly string[]
  readonly samples: readonly Sample[]
}

const MAX_DEPTH = 4

/** How a path such as `/users/{id}/address` answers a part of an item that is called so, where all its answers do. */
export function partAt(
  folded: Folded,
  itemPath: string,
  sightings: ReadonlyMap<string, Sightings>,
): ItemPart | undefined {
  const word = folded.path.split('/').at(-1) ?? ''
  const fine = folded.samples.filter(({ method, status }) => method === 'GET' && status < 300)
  const [first] = fine
  const other = first === undefined || word.includes('{') ? undefined : otherPath(itemPath, folded)
  if (first === undefined || other === undefined) return undefined
  const itemOf = (sample: Sample): Item | undefined => {
    const segments = other.segments(sample)
    const seen = sightings.get(pathOf({ ...sample, segments: segments.slice(0, -1) }))
    const id = segments.at(-1) ?? ''
    return (seen?.before(id, sample.index) ?? seen?.after(id, sample.index))?.item
  }
  const holds = ([part, answer]: readonly [readonly string[], readonly string[]]): boolean =>
    fine.every((sample) => {
      const item = itemOf(sample)
      const value = memberAt(item, part)
      const answered = memberAt(sample.response, answer)
      return value !== undefined && (isDeepStrictEqual(value, answered) || areThoseOf(value, answered))
    })
  const places = partsIn(itemOf(first), [], word)
  const answers = [[], ...Object.keys(isObject(first.response) ? first.response : {}).map((name) => [name])]
  const found = places
    .flatMap((part) => answers.map((answer) => [part, answer] as const))
    .find(
      ([part, answer]) =>
        fine.some(({ response }) => saysEnough(memberAt(response, answer))) && holds([part, answer]),
    )
  return found && { at: other.at, part: found[0], answer: found[1], samples: fine }
}

// Of a list of ids, the answer may have what they name and is still there.
function areThoseOf(ids: unknown, answered: unknown): boolean {
  if (!Array.isArray(ids) || !Array.isArray(answered) || !answered.every(isObject)) return false
  const [first = {}] = answered as readonly Item[]
  const wanted = new Set(ids.map(String))
  return Object.keys(first).some((name) =>
    (answered as readonly Item[]).every((thing) => isScalar(thing[name]) && wanted.has(String(thing[name]))),
  )
}

// Little that is said is like something else by chance.
function saysEnough(value: unknown): boolean {
  return typeof value === 'string' ? value.length > 2 : isObject(value) || Array.isArray(value)
}

function partsIn(value: unknown, above: readonly string[], word: string): readonly (readonly string[])[] {
  if (!isObject(value) || above.length >= MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const path = [...above, name]
    return [...(path.includes(word) ? [path] : []), ...partsIn(part, path, word)]
  })
}
