import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'

// Loaded with the first slip.
const distance = lazy(
  () => createRequire(import.meta.url)('damerau-levenshtein') as typeof import('damerau-levenshtein'),
)

/** What is wrong with a key that nobody knows. */
export function unknownKey(keys: readonly string[], known: readonly string[]): string {
  return `unknown key '${nameOf(keys)}'. ${hintAt(keys.at(-1) ?? '', known)}`
}

/** Keys and indexes as people write them: `upstreams[0].url`. */
export function nameOf(keys: readonly string[]): string {
  return keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

/** Which of the known names may be meant by one that is not known. */
export function hintAt(name: string, known: readonly string[], what = 'Keys'): string {
  const like = nearest(name, known)
  return like === undefined ? `${what}: ${known.join(', ') || 'none'}` : `Did you mean '${like}'?`
}

/** The name that a camelCase option has in data; other words of a text stay as they are. */
export function snakeCase(text: string): string {
  return text.replace(
    /([a-z])([A-Z])/g,
    (_pair, before: string, after: string) => `${before}_${after.toLowerCase()}`,
  )
}

/** A value for a message, cut short. */
export function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value)?.slice(0, 80) ?? typeof value)
}

/** The one of some words that another is most likely a slip of; `undefined` when it is like none. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const plain = plainOf(word)
  const most = Math.max(1, Math.floor(plain.length / 3))
  const [best] = words
    .map((each) => ({ each, steps: distance()(plain, plainOf(each)).steps }))
    .filter(({ steps }) => steps <= most)
    .toSorted((a, b) => a.steps - b.steps)
  return best?.each
}

// listCount, list-count and list_count differ in nothing that matters here.
function plainOf(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, '')
}
