import { entryOf } from '../../grouping.ts'
import { idIn, type Item, type ItemPlace, listIn } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** What is known of a field whose value may decide which items lists show. */
interface Seen {
  readonly value: unknown
  /** Items that had another value, and were not listed. */
  hidden: number
  isBroken: boolean
}

/** Whether an answer is a list of all there is. @param page which part of the list it is, where that is known */
export function showsAll(
  { method, status, response }: Sample,
  page: { readonly offset: number; readonly total: number | undefined } | undefined,
): boolean {
  if (method !== 'GET' || status >= 300 || page?.offset !== 0) return false
  return page.total === listIn(response)?.items.length
}

/** Finds the value that all items have which whole lists show, where they leave out those that have another. */
export function createFilterNotes(place: ItemPlace): {
  /**
   * @param view a list of all there is, by a request that chooses nothing
   * @param items those that are known to be there
   */
  note(this: void, view: Sample, items: ReadonlyMap<string, Item>): void
  found(this: void): Readonly<Record<string, string>> | undefined
} {
  const fields = new Map<string, Seen>()
  let hasUnexplained = false
  return {
    note({ response }, items) {
      const { items: listed = [] } = listIn(response) ?? {}
      const [first] = listed
      if (first === undefined) return
      const ids = new Set(listed.map((item) => idIn(item, place)))
      const left = [...items].filter(([id, item]) => !ids.has(id) && Object.keys(item).length > 0)
      for (const [name, value] of Object.entries(first)) {
        if (typeof value !== 'string' && typeof value !== 'boolean') continue
        const seen = entryOf(fields, name, () => ({ value, hidden: 0, isBroken: false }))
        seen.isBroken ||= listed.some((item) => item[name] !== seen.value)
        seen.isBroken ||= left.some(([, item]) => !isScalar(item[name]) || item[name] === seen.value)
        seen.hidden += left.length
      }
      hasUnexplained ||= ![...fields.values()].some(({ isBroken }) => !isBroken)
    },
    found() {
      const sound = [...fields].filter(([, { hidden, isBroken }]) => hidden > 0 && !isBroken)
      const [[name, { value }] = ['', { value: '' }], ...others] = sound
      if (name === '' || others.length > 0 || hasUnexplained) return undefined
      return { [name]: String(value) }
    },
  }
}
