import { PageTable } from '../../engine/fixtures/page-table.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { DataPlace } from './data-place.ts'
import { isOfForm, type Check, type Form } from './read-entries.ts'

const pages: Check = (value) =>
  isObject(value) && Object.values(value).every((page) => Array.isArray(page) && page.every(isObject))
    ? undefined
    : 'lists of objects by page token'
const texts: Check = (value) =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string')
    ? undefined
    : 'page tokens by page token'
const text: Check = (value) => (typeof value === 'string' ? undefined : 'the name of an input field')

const FORM: Form = { required: { pages }, optional: { next_tokens: texts, token_field: text } }

/** Reads a page table: `{ pages: { '': […], two: […] }, next_tokens: { '': two }, token_field: page_token }`. */
export function readPageTable(value: unknown, place: DataPlace): PageTable | undefined {
  if (!isOfForm(value, FORM, place)) return undefined
  const { pages: rows, next_tokens: nextTokens, token_field: tokenField } = value
  try {
    return new PageTable({ pages: rows, nextTokens, tokenField } as ConstructorParameters<
      typeof PageTable
    >[0])
  } catch (error) {
    place.tell([], (error as Error).message.replace('PageTable: ', '').replace('nextTokens', 'next_tokens'))
    return undefined
  }
}
