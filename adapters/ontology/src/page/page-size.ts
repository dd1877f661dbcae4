import { ApiError } from '../errors.ts'

/** How many there are on a page when the request does not say, and at most. Asking for more is no error. */
export interface PageLimits {
  readonly usual: number
  readonly most: number
}

export const OBJECT_PAGES: PageLimits = { usual: 1000, most: 10_000 }
export const TYPE_PAGES: PageLimits = { usual: 500, most: 1000 }
export const QUERY_PAGES: PageLimits = { usual: 100, most: 1000 }

/** The size of a page as it was asked for. */
export const pageSizeOf = (given: unknown, { usual, most }: PageLimits): number => {
  if (given === undefined || given === null) return usual
  const size = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given
  if (typeof size !== 'number' || !Number.isInteger(size) || size <= 0) {
    throw new ApiError('InvalidPageSize', { pageSize: size }, 'a page size is a whole number above 0')
  }
  return Math.min(size, most)
}
