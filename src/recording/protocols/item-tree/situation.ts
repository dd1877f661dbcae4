import { isObject } from '../../../engine/schema/schema.ts'
import { partsOf, nameOf } from './places.ts'

/** What a request is like, and what is there when it comes. */
export interface Situation {
  readonly method: string
  /** What is at its path: `below` is what belongs to an item that is not a folder. */
  readonly at: 'folder' | 'leaf' | 'none' | 'below'
  /** The rest of the path, where that is below an item. */
  readonly below: string
  readonly isTop: boolean
  /** Whether the folder has anything in it. */
  readonly isFilled: boolean
  readonly hasParent: boolean
  /** Whether those are there that it names, by what names them. */
  readonly others: Readonly<Record<string, boolean>>
  readonly query: Readonly<Record<string, unknown>>
  /** Names in the body, with values of a word or so. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly extension: string
}

const MAX_WORD = 24

/** What of a body distinguishes requests. */
export function wordsIn(sent: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(sent)) return sent === undefined ? {} : { '': null }
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const isWord = typeof value === 'string' ? value.length <= MAX_WORD : typeof value !== 'object'
      return [name, isWord ? value : null]
    }),
  )
}

export function extensionOf(path: string): string {
  return partsOf(nameOf(path))[1]
}

/** How like two requests are; `undefined` where what one did says nothing of the other. */
export function likeness(one: Situation, other: Situation): number | undefined {
  if (one.method !== other.method || one.at !== other.at || one.below !== other.below) return undefined
  const names = Object.keys(one.others)
  if (names.length !== Object.keys(other.others).length) return undefined
  if (names.some((name) => one.others[name] !== other.others[name])) return undefined
  let score = 0
  if (one.hasParent === other.hasParent) score += 3
  if (one.isFilled === other.isFilled) score += 2
  if (one.isTop === other.isTop) score += 1
  if (one.extension === other.extension) score += 1
  return score + sameEntries(one.query, other.query, 4) + sameEntries(one.sent, other.sent, 2)
}

function sameEntries(
  some: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
  ofSame: number,
): number {
  let score = 0
  for (const [name, value] of Object.entries(some))
    if (!Object.hasOwn(others, name)) score -= 2
    else if (String(value) === String(others[name])) score += ofSame
    else score += 1
  for (const name of Object.keys(others)) if (!Object.hasOwn(some, name)) score -= 2
  return score
}
