import type { Input } from '../../engine/input.ts'
import { idOf, type Listed } from './page-links.ts'
import { numberIn, type PageParameters } from './page-parameters.ts'
import { readPageToken } from './page-token.ts'

/** A list of which nothing is known yet. */
export const NO_ITEMS: Listed = { total: 0, items: () => [] }

/** Where a page ends that a request wants from before an item; `undefined` where it wants none such. */
export function endOf(
  { style, before, idPath }: PageParameters,
  input: Input,
  listed: Listed,
): number | undefined {
  const id = before === undefined || style !== 'after' ? undefined : input[before]
  if (typeof id !== 'string' || id === '') return undefined
  return Math.max(0, indexOf(id, listed, idPath))
}

function indexOf(id: string, listed: Listed, idPath: readonly string[] | undefined): number {
  return listed.items(0, listed.total).findIndex((item) => idOf(item, idPath) === id)
}

/** Where the page begins that a request wants. @throws PageTokenInvalid */
export function offsetOf(
  { style, at, firstPage, firstOffset, tokens, idPath, token }: PageParameters,
  input: Input,
  size: number,
  listed: Listed,
): number {
  if (at === undefined) return 0
  const ofPage = (page: number): number =>
    Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, page - firstPage) * size)
  const after = (id: string): number => {
    const index = indexOf(id, listed, idPath)
    return index < 0 ? listed.total : index + 1
  }
  const byToken = (text: unknown): number => {
    const { offset = 0, page, id } = readPageToken(text, tokens)
    return id !== undefined ? after(id) : page !== undefined ? ofPage(page) : offset
  }
  if (token !== undefined && (input[token] ?? '') !== '') return byToken(input[token])
  if (style === 'page') return ofPage(numberIn(input, at, firstPage, Number.MAX_SAFE_INTEGER))
  if (style === 'offset')
    return Math.max(0, numberIn(input, at, firstOffset, Number.MAX_SAFE_INTEGER) - firstOffset)
  if (style === 'cursor') return byToken(input[at])
  const last = input[at]
  return typeof last === 'string' && last !== '' ? after(last) : 0
}
