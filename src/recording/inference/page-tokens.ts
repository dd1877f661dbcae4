import type { PageParameters } from '../../collections/paging/page-parameters.ts'
import { pageToken, type PageStart } from '../../collections/paging/page-token.ts'
import type { PageTokenForm } from '../../engine/route-options.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { textOfAnswer } from './answer-text.ts'
import type { GivenToken } from './page-walk.ts'
import type { Sample } from './sample.ts'

const ENCODINGS = [undefined, 'base64url', 'base64'] as const
const STARTS = ['offset', 'id', 'page'] as const satisfies readonly (keyof PageStart)[]

/**
 * How tokens are written: as a text, encoded or not, that is the same in all of them but for the offset, the number of
 * the page or the id of the item before it. Those that say none of that are known by where their pages begin.
 * @returns `undefined` where there are none
 */
export function findTokenForm(given: readonly GivenToken[]): PageTokenForm | undefined {
  const [first] = given
  if (first === undefined) return undefined
  const forms = ENCODINGS.flatMap((encoding) => {
    const text = encoding === undefined ? first.token : Buffer.from(first.token, encoding).toString()
    const isSure = encoding !== undefined || given.some(({ token }) => token !== first.token)
    return STARTS.flatMap((name) => formsOf(text, name, String(first[name]), isSure)).map((form) => ({
      text: form,
      ...(encoding !== undefined && { encoding }),
    }))
  })
  const found = forms.find((form) => given.every((each) => pageToken(each, form) === each.token))
  return found ?? { known: Object.fromEntries(given.map(({ token, offset }) => [token, offset])) }
}

// One for each place where the text has the value; where there is one token alone, not within a word.
function formsOf(text: string, name: keyof PageStart, value: string, isSure: boolean): readonly string[] {
  if (value === '') return []
  const word = isSure ? '\\d' : '[A-Za-z\\d]'
  const whole = new RegExp(`(?<!${word})${literalPattern(value)}(?!${word})`, 'g')
  return [...text.matchAll(whole)].map(
    ({ index }) => `${text.slice(0, index)}{${name}}${text.slice(index + value.length)}`,
  )
}

/** Whether a request names a page by what its answer says is none. */
export function hasWrongToken({ query, response }: Sample, parameters: PageParameters | undefined): boolean {
  const { style, at = '' } = parameters ?? {}
  const isToken = style === 'cursor' || style === 'after'
  return isToken && Object.hasOwn(query, at) && /cursor|token|marker|page/i.test(textOfAnswer(response))
}
