import { formedBy } from '../../engine/links/computed-from.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isSafe } from '../../message.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import { fieldIssues } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import type { Folded } from './fold-paths.ts'
import { itemView } from './item-place.ts'
import { singular } from './names.ts'
import type { createIsThere } from './parents.ts'
import { isAtResource, type Resource } from './resources.ts'
import type { Sample } from './sample.ts'
import { partsOfText } from './templates.ts'

/** The items that the bodies of a collection's requests name, and that have to be there. */
export interface NeededItems {
  /** The paths of the items by the fields that name them. */
  readonly needs: Readonly<Record<string, string>>
  /** The field by which a request was refused, since what it names is not there. */
  readonly lackedBy: (sample: Sample) => FieldIssue | undefined
}

/**
 * Finds the fields that name items of other collections, such as `team_id`, where all requests that succeeded name one
 * that was there, and one was refused that names none: its answer speaks of what is called so, or nothing else is wrong.
 */
export function findNeededItems(
  folded: readonly Folded[],
  resources: readonly Resource[],
  isThere: ReturnType<typeof createIsThere>,
): ReadonlyMap<Resource, NeededItems> {
  const able = resources.filter(
    ({ path, collection }) => !collection.includes('{') && splitItemPath(path) !== undefined,
  )
  const neededBy = (resource: Resource): readonly (readonly [Resource, NeededItems])[] => {
    const writes = folded
      .filter((each) => isAtResource(resource, each))
      .flatMap(({ samples }) => samples.filter(({ method }) => !isSafe(method)))
      .map((sample) => itemView(sample, resource.place))
      .filter(({ body }) => isObject(body))
    const fine = writes.filter(({ status }) => status < 300)
    const refused = writes.filter(({ status }) => REFUSED.has(status))
    const fields = new Set(
      refused.flatMap(({ body }) =>
        Object.entries(body as object).flatMap(([name, value]) => [
          name,
          ...partsOfText(name, value).map(([part]) => part),
        ]),
      ),
    )
    const found = [...fields].flatMap((field) => {
      const naming = fine.filter((sample) => nameIn(sample, field) !== undefined)
      if (naming.length === 0) return []
      const needed = able.find((other) => {
        const names = (sample: Sample): boolean =>
          isThere(other, other.collection, nameIn(sample, field) ?? '', sample.index)
        const lacks = (sample: Sample): boolean =>
          isRefusedFor(sample, field, other, writes) && !names(sample)
        return other.host === resource.host && naming.every(names) && refused.some(lacks)
      })
      return needed === undefined ? [] : [{ field, needed }]
    })
    if (found.length === 0) return []
    const lackedBy = (sample: Sample): FieldIssue | undefined => {
      const view = itemView(sample, resource.place)
      const lacked = found.find(({ field, needed }) => {
        const name = nameIn(view, field)
        if (name === undefined || !REFUSED.has(sample.status)) return false
        return !isThere(needed, needed.collection, name, sample.index)
      })
      return (
        lacked && {
          field: lacked.field.replace(/\|.*/s, ''),
          type: 'not_found',
          value: nameIn(view, lacked.field),
        }
      )
    }
    const needs = Object.fromEntries(found.map(({ field, needed }) => [field, needed.path]))
    return [[resource, { needs, lackedBy }]]
  }
  return new Map(resources.flatMap(neededBy))
}

const REFUSED = new Set([400, 403, 404, 409, 422])

function nameIn({ body }: Sample, field: string): string | undefined {
  return isObject(body) ? formedBy(field, (name) => body[name]) : undefined
}

// Its answer speaks of what is not there, or nothing else is wrong with a field that is called as that is.
function isRefusedFor(
  sample: Sample,
  field: string,
  { collection }: Resource,
  writes: readonly Sample[],
): boolean {
  if (nameIn(sample, field) === undefined) return false
  const text = textOfAnswer(sample.response).toLowerCase()
  const isNamed = (word: string): boolean => word !== '' && speaksOf(text, word)
  const noun = singular(collection.split('/').at(-1) ?? '').toLowerCase()
  // What a part of a field names is said by the answer alone.
  if (field.includes('|')) return isNamed(noun)
  const [, stem = ''] = /^(.+?)_?ids?$/i.exec(field) ?? []
  const isSaid = [field, stem].some((word) => isNamed(word.toLowerCase()))
  const isCalledSo = singular(stem === '' ? field : stem)
    .toLowerCase()
    .endsWith(noun)
  if (isCalledSo) return isSaid || isNamed(noun) || fieldIssues(sample, writes).length === 0
  return stem !== '' && (isSaid || isNamed(noun))
}
