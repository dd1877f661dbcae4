import { plainName } from '../../../collections/paging/page-parameters.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import type { Entries } from '../../../engine/schema/schema.ts'
import { segmentsOf } from '../../../routing/path-template.ts'
import type { Item } from '../../../state/store.ts'
import { singularOf } from './path-words.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/** A field of items that says how many of another resource lie below each, such as `comment_count`. */
export interface CountField {
  readonly name: string
  readonly below: Resource
  /** Whether the field can hold a count. */
  fits(this: void, count: number): boolean
}

/** The fields of a resource's items that count what lies in the collections below each of them. */
export function createCountFields(resource: Resource, map: ResourceMap): readonly CountField[] {
  const { shape } = resource
  return map.below(resource).flatMap((below): CountField[] => {
    const noun = segmentsOf(below.template).at(-1) ?? ''
    const names = countNames(plainName(noun), plainName(singularOf(noun)))
    const name = [...shape.fields.keys()].find((each) => names.has(plainName(each)))
    const model = name === undefined ? undefined : shape.modelOf(name)
    if (name === undefined || model === undefined || !['integer', 'number'].includes(kindOf(model))) return []
    const checker = createChecker(model)
    return [{ name, below, fits: (count) => checker.fits(count) }]
  })
}

function countNames(many: string, one: string): ReadonlySet<string> {
  const forms = [many, one].flatMap((noun) => [`${noun}count`, `${noun}total`, `total${noun}`, `num${noun}`])
  return new Set([many, ...forms, `${many}number`, `numberof${many}`, `countof${many}`, `nb${many}`])
}

/** Writes the counts of an item. What is said of it stays. */
export function writeCounts(
  item: Entries,
  counts: readonly CountField[],
  known: Item | undefined,
  sizeOf: (below: Resource) => number,
): void {
  for (const { name, below, fits } of counts) {
    if (item[name] === undefined || known?.[name] !== undefined) continue
    const count = sizeOf(below)
    if (fits(count)) item[name] = count
  }
}
