import { looksLikeCode, looksRandom } from './random-look.ts'
import type { Secrets } from './secrets.ts'

const TOKEN = /"token"\s{0,3}:\s{0,3}"((?:[^"\\]|\\.){0,80})"/g
/** How language models write where a word begins, besides a space. */
const BEGINS_WORD = /^(?:\s|\\n|[Ġ▁]|\\u0120|\\u2581)/
const MIN_TOKENS = 3

/**
 * The secrets of a stream of values. Where these give one `token` after another, some of which begin with a space, they
 * are the pieces of the text of a language model.
 */
export function ofStream(text: string, secrets: Secrets): Secrets {
  if (!text.includes('"token"')) return secrets
  const tokens = Array.from(text.matchAll(TOKEN), ([, token = '']) => token)
  const isOfModel =
    tokens.length >= MIN_TOKENS &&
    tokens.some((token) => BEGINS_WORD.test(token)) &&
    !tokens.some((token) => looksRandom(token) || looksLikeCode(token))
  if (!isOfModel) return secrets
  const { kindOf } = secrets
  return { ...secrets, kindOf: (name) => (name === 'token' ? 'harmless' : kindOf(name)) }
}
