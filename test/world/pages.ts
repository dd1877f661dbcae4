import type { Operation } from '../corpus/operations.ts'

/** How an operation takes pages by number or by offset. */
export interface PageWay {
  readonly size: string
  readonly at: string
  /** Where a page begins, counted from 0. */
  place(page: number, size: number): number
}

const SIZES = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit']
const NUMBERS = ['page', 'page_number', 'pageNumber']
const OFFSETS = ['offset', 'skip']

export function pageWaysOf({ parameters }: Operation): PageWay | undefined {
  const named = (names: readonly string[]): string | undefined =>
    names.find((name) => parameters.some((each) => each.in === 'query' && each.name === name))
  const size = named(SIZES)
  const offset = named(OFFSETS)
  const number = named(NUMBERS)
  if (size === undefined) return undefined
  if (offset !== undefined) return { size, at: offset, place: (page, length) => page * length }
  // Whether pages are counted from 0 is said in words alone, so that only the usual way is known.
  const schema = parameters.find(({ name }) => name === number)?.schema as
    { minimum?: number; default?: number } | undefined
  if (number === undefined || schema?.minimum === 0 || schema?.default === 0) return undefined
  return { size, at: number, place: (page) => page + 1 }
}
