import { timingSafeEqual } from 'node:crypto'
import type { Visit } from 'sim-gateway/adapter'
import { workspaceError } from '../errors.ts'
import { originOf } from '../origin.ts'
import type { LinkTo } from './describe.ts'

/** Where the bytes of chunks are that are not part of answers. Its links carry their own credentials. */
export const EXTERNAL_LINK_PATH = '/sim-external-links/{statement_id}/{chunk_index}'

const GOOD_FOR_MS = 15 * 60 * 1000

/** Makes links to the chunks of a statement, on this very adapter. */
export function linksOf(
  visit: Pick<Visit<unknown>, 'headers' | 'ids' | 'clock'>,
  statementId: string,
): LinkTo {
  return (chunkIndex) => {
    const expires = visit.clock.now() + GOOD_FOR_MS
    const signature = signatureOf(visit, statementId, chunkIndex, expires)
    const path = `/sim-external-links/${statementId}/${chunkIndex}?expires=${expires}&signature=${signature}`
    return { url: `${originOf(visit)}${path}`, expiration: new Date(expires).toISOString() }
  }
}

/** Lets only those through whose link was made here, and has not expired. */
export function checkLink(visit: Pick<Visit<unknown>, 'ids' | 'clock' | 'params' | 'query'>): void {
  const { params, query, clock } = visit
  const expires = Number(query.get('expires') ?? Number.NaN)
  const expected = signatureOf(visit, params['statement_id'] ?? '', Number(params['chunk_index']), expires)
  const given = Buffer.from(query.get('signature') ?? '')
  const isGenuine = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
  if (!isGenuine) throw workspaceError('PERMISSION_DENIED', 'This link was not made here.')
  if (clock.now() > expires)
    throw workspaceError(
      'PERMISSION_DENIED',
      'This link has expired; ask for the chunk again to get another.',
    )
}

function signatureOf(
  { ids }: Pick<Visit<unknown>, 'ids'>,
  statementId: string,
  chunkIndex: number,
  expires: number,
): string {
  return ids.hex(32, 'external-link', statementId, String(chunkIndex), String(expires))
}
