import type { PagePlace, PageTokens, ReadPage, VirtualClock } from 'sim-gateway/adapter'
import { ApiError } from '../errors.ts'

const DAY_MS = 86_400_000

/** The refusal of a page token. */
export const tokenRefused = (pageToken: unknown, reason: string): ApiError =>
  new ApiError('InvalidPageToken', { pageToken }, reason)

/** Reads a page token; one that was altered, or made for anything else, is refused. */
export const readToken = (pages: PageTokens, token: unknown, parameters: unknown): ReadPage => {
  try {
    return pages.decode(token, { parameters })
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'page-token') throw error
    throw tokenRefused(token, 'it was not made by this operation for these parameters, or its time is over')
  }
}

/** Writes a page token, which is good for a day of the virtual clock. */
export const writeToken = (
  { pages, clock }: { readonly pages: PageTokens; readonly clock: VirtualClock },
  place: Omit<PagePlace, 'expiresAt'>,
): string => pages.encode({ ...place, expiresAt: clock.now() + DAY_MS })
