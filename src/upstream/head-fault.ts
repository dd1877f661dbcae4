import { unknownCodingIn } from '../http/headers.ts'

/** One each minute takes the better part of a day. */
const MAX_INFORMED = 1000

/**
 * Why a head is none that an answer can go on from, if it is so.
 * @param informed how many answers came, with this one, that only inform of the one that is to come (RFC 9110, section 15.2)
 */
export function faultOf(raw: readonly (Buffer | string)[], informed: number): string | undefined {
  const coding = unknownCodingIn(raw)
  if (coding !== undefined) return `its transfer coding '${coding}' is not known here`
  return informed > MAX_INFORMED ? `it has over ${MAX_INFORMED} answers of 1xx before it` : undefined
}
