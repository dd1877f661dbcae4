import { isDeepStrictEqual } from 'node:util'
import type { ItemOption } from '../../engine/route-options.ts'
import { groupBy } from '../../grouping.ts'
import { pathOf, type Sample } from './sample.ts'

/** How headers are called by which clients say that a request is one that they sent before. */
const KEYS = /^(x-)?idempotency-key$/

/** Headers that say that an answer was given before. */
const REPLAYED = /idempoten|replay|duplicate/

/** The header by whose value requests that come again get the first answer, where some did. */
export function findIdempotent(samples: readonly Sample[]): ItemOption['idempotent'] {
  const writes = samples.filter(({ method, status }) => /^(POST|PATCH)$/.test(method) && status < 300)
  const header = [...new Set(writes.flatMap(({ headers }) => Object.keys(headers)))].find((name) =>
    KEYS.test(name),
  )
  if (header === undefined) return undefined
  const keyed = writes.filter(({ headers }) => headers[header] !== undefined)
  const again = [
    ...groupBy(keyed, (sample) => `${sample.method} ${pathOf(sample)} ${sample.headers[header]}`).values(),
  ]
  const repeated = again.filter((own) => own.length > 1)
  const isAnsweredAlike = ([first, ...others]: readonly Sample[]): boolean =>
    others.every((each) => each.status === first?.status && isDeepStrictEqual(each.response, first.response))
  if (repeated.length === 0 || !repeated.every(isAnsweredAlike)) return undefined
  const [[, ...others] = []] = repeated
  const said = Object.entries(others[0]?.responseHeaders ?? {}).filter(([name]) => REPLAYED.test(name))
  return { header, ...(said.length > 0 && { headers: Object.fromEntries(said) }) }
}
