import type { CallModel } from '../../engine/call-model.ts'
import { protocolCalled } from '../protocols/protocols.ts'
import { digestOf, type EtagOption } from '../../engine/etag.ts'
import { asksAnew, evaluate } from '../../http/conditions.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts } from '../../grouping.ts'
import { pathOf, type Sample } from './sample.ts'

/** A route, as far as its answers have ETags. */
interface Tagged {
  readonly samples: readonly Sample[]
}

/**
 * How the answers of routes are tagged that always have an ETag. Those that requests name stay what they were.
 * @param all the exchanges of the recording
 */
export function findEtags<Route extends Tagged>(
  routes: readonly Route[],
  all: readonly Sample[],
): ReadonlyMap<Route, EtagOption> {
  const named = new Set(
    all.flatMap(({ headers }) => VALIDATORS.flatMap((name) => headers[name]?.split(/,\s*(?=W?\/?")/) ?? [])),
  )
  const match = isMatched(all)
  const reload = isReloaded(all)
  return new Map(
    routes.flatMap((route) => {
      const fine = route.samples.filter(
        ({ status, response, isEmpty }) =>
          (status === 200 || status === 201) && response !== undefined && isEmpty !== true,
      )
      const tags = fine.flatMap(({ responseHeaders }) => responseHeaders['etag'] ?? [])
      const isWrite = route.samples.some(({ method }) => method !== 'GET' && method !== 'HEAD')
      const at = placeOfTag(fine)
      const bare = bareWrites(route.samples)
      const ofBare = bare.flatMap(({ responseHeaders }) => responseHeaders['etag'] ?? [])
      const written = ofBare.length > 0 && ofBare.length === bare.length
      const isTagged = tags.length === fine.length && tags.length + ofBare.length > 0
      // What is refused for the state of an item need not have an ETag elsewhere.
      if (!isTagged) return match && isWrite ? [[route, { match }]] : []
      const known = fine
        .filter(({ responseHeaders }) => named.has(responseHeaders['etag'] ?? ''))
        .map(
          ({ response, responseHeaders }) =>
            [digestOf(bytesOf(response)), responseHeaders['etag'] ?? ''] as const,
        )
        .toSorted(([a], [b]) => compareTexts(a, b))
      return [
        [
          route,
          {
            ...([...tags, ...ofBare].every((tag) => tag.startsWith('W/')) && { weak: true }),
            ...(written && { written }),
            ...(match && isWrite && { match }),
            ...(reload && tags.length > 0 && { reload }),
            ...(at !== undefined && { at: pointerTo([at]) }),
            ...(known.length > 0 && at === undefined && { known: Object.fromEntries(known) }),
          },
        ],
      ]
    }),
  )
}

function bareWrites(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(
    ({ method, status, response, isEmpty }) =>
      /^(POST|PUT|PATCH)$/.test(method) && status < 300 && (response === undefined || isEmpty === true),
  )
}

// The member of all bodies that is their ETag.
function placeOfTag(samples: readonly Sample[]): string | undefined {
  const [first] = samples
  if (first === undefined || !isObject(first.response)) return undefined
  return Object.keys(first.response).find((name) =>
    samples.every(
      ({ response, responseHeaders: { etag } }) =>
        isObject(response) && typeof etag === 'string' && response[name] === etag,
    ),
  )
}

// Where one that names another state is refused; or where all that went through named the state that was last seen.
function isMatched(all: readonly Sample[]): boolean {
  const last = new Map<string, string>()
  let [matched, unmatched, refused] = [0, 0, 0]
  for (const sample of all.toSorted((a, b) => a.index - b.index)) {
    const { method, status, headers, responseHeaders } = sample
    const place = `${sample.origin} ${pathOf(sample)}`
    const [wanted, known] = [headers['if-match'], last.get(place)]
    const isConditional = wanted !== undefined || headers['if-none-match'] !== undefined
    if (status === 412 && isConditional && method !== 'GET') refused++
    else if (wanted !== undefined && method !== 'GET') {
      if (status < 300 && known !== undefined && wanted === known) matched++
      else if (status < 300 && known !== undefined && wanted !== '*') unmatched++
    }
    const tag = responseHeaders['etag']
    if (status < 300 && tag !== undefined) last.set(place, tag)
    else if (status < 300 && method !== 'GET' && method !== 'HEAD') last.delete(place)
  }
  return refused > 0 || (matched > 0 && unmatched === 0)
}

// Where what a request has was sent again, since it said that no cache was to answer it.
function isReloaded(all: readonly Sample[]): boolean {
  const asking = all.filter(
    ({ method, headers }) =>
      method === 'GET' && 'if-none-match' in headers && asksAnew(headers['cache-control']),
  )
  const isHad = ({ headers, responseHeaders: { etag } }: Sample): boolean =>
    etag !== undefined &&
    evaluate(
      'GET',
      { 'if-none-match': headers['if-none-match'] ?? '' },
      { etag, lastModified: undefined },
    ) === 'not modified'
  return (
    asking.some((sample) => sample.status === 200 && isHad(sample)) &&
    !asking.some(({ status }) => status === 304)
  )
}

const VALIDATORS = ['if-match', 'if-none-match']

function bytesOf(response: unknown): Buffer {
  return Buffer.from(typeof response === 'string' ? response : JSON.stringify(response))
}

/** Whether what a protocol says of calls says what validators are, rather than that they are as those of any server. */
export function saysTags(calls: CallModel | undefined): boolean {
  const isOwn = protocolCalled(calls?.protocol)?.calls?.hasPlainTags !== true
  return calls?.learned !== undefined && isOwn
}
