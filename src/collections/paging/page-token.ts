import type { PageTokenForm } from '../../engine/route-options.ts'
import { PageTokenInvalid } from '../../errors.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** Where a page begins: at an offset, with a number, or after an item. */
export interface PageStart {
  readonly offset: number
  readonly page: number
  readonly id: string
}

/** Tokens of lists of which nothing else is known. */
const OWN: PageTokenForm = { text: 'offset:{offset}', encoding: 'base64url' }

const PLACE = /\{(offset|page|id)\}/

/** Whether tokens name the item before the page, so that the list is needed to read one. */
export function namesItems({ text = '' }: PageTokenForm = OWN): boolean {
  return PLACE.exec(text)?.[1] === 'id'
}

/** The token of the page that begins there. */
export function pageToken(start: Partial<PageStart>, form: PageTokenForm = OWN): string {
  const { text = OWN.text, encoding = form.text === undefined ? OWN.encoding : undefined } = form
  const written = (text as string).replace(PLACE, (_, name: keyof PageStart) => String(start[name] ?? ''))
  return encoding === undefined ? written : Buffer.from(written).toString(encoding)
}

/** What a token says of where its page begins; offset 0 for an empty one. @throws PageTokenInvalid for any other text */
export function readPageToken(token: unknown, form: PageTokenForm = OWN): Partial<PageStart> {
  if (token === undefined || token === null || token === '') return { offset: 0 }
  const given = typeof token === 'string' ? token : ''
  const known = form.known !== undefined && Object.hasOwn(form.known, given) ? form.known[given] : undefined
  if (known !== undefined) return { offset: known }
  const { text = OWN.text, encoding = form.text === undefined ? OWN.encoding : undefined } = form
  const [before = '', name, after = ''] = (text as string).split(PLACE)
  const value = name === 'id' ? '.+' : '\\d{1,15}'
  const pattern = new RegExp(`^${literalPattern(before)}(${value})${literalPattern(after)}$`, 's')
  const [, found] =
    pattern.exec(encoding === undefined ? given : Buffer.from(given, encoding).toString()) ?? []
  if (found === undefined) throw new PageTokenInvalid()
  return name === 'id' ? { id: found } : { [name as 'offset']: Number(found) }
}
