import { isObject } from '../../engine/schema/schema.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import type { Item, ItemPlace } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isTaken } from './taken.ts'

/** Finds the fields of which no two items of a collection have the same value, by what was refused for that. */
export function createUniqueNotes({ id: [idField] }: ItemPlace): {
  /** @param items those that are there when a request comes, without its own */
  note(this: void, view: Sample, items: Iterable<Item>): void
  found(this: void): readonly string[]
} {
  const [refused, taken] = [new Set<string>(), new Set<string>()]
  return {
    note(view, items) {
      const { method, status, body } = view
      const isRefused = isTaken(view)
      if (!/^(POST|PUT|PATCH)$/.test(method) || !isObject(body) || (status >= 300 && !isRefused)) return
      const names = isRefused ? refused : taken
      // There may be many items for each of many requests.
      const sent = Object.entries(body).filter(
        ([name, value]) => isName(value) && name !== idField && !names.has(name),
      )
      if (sent.length === 0) return
      // All of an item may be sent again, while the answer names what must be its own.
      const text = textOfAnswer(view.response)
      const named = isRefused ? sent.filter(([name]) => speaksOf(text, name)) : []
      const able = named.length > 0 ? named : sent
      for (const item of items) for (const [name, value] of able) if (item[name] === value) names.add(name)
    },
    found: () => [...refused].filter((name) => !taken.has(name)).toSorted(),
  }
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
