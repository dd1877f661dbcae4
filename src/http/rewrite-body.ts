import { once } from 'node:events'
import { PassThrough, pipeline, Transform, type Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { mediaKindOf, mediaParameters, type MediaKind } from '../media-type.ts'
import type { Headers } from '../message.ts'
import { CONTENT_CODINGS } from './content-codings.ts'
import { codingsOf, pairsOf, type FlatHeaders } from './headers.ts'
import type { UrlMap } from './url-map.ts'

/** A response whose body is rewritten. */
export interface RewrittenBody {
  /** Headers that hold for the rewritten body: without its length, digests, coding, ranges, and with a weak ETag. */
  readonly headers: FlatHeaders
  /**
   * Has the body written to a response as it comes, what is decided without waiting for more; returns what takes it.
   * Absent where the response has none.
   */
  readonly open?: (response: Writable) => Writable
}

/** What a response says of its body. */
interface Described {
  readonly status: number
  readonly headers: FlatHeaders
}

/** What counts of a request. */
interface Requested {
  readonly method?: string | undefined
  readonly headers: Headers
}

type Decoder = NonNullable<ReturnType<typeof CONTENT_CODINGS.get>>

const KINDS: ReadonlySet<MediaKind> = new Set(['json', 'json-lines', 'events', 'xml', 'text'])
// A client that requested bytes by their digest, as those of container registries do, would refuse others.
const ADDRESSED = /^(content-range|docker-content-digest)$/i
/** Headers that are made from the bytes of a body, and are wrong for any other one. */
export const CHECKSUM =
  /^(content-md5|digest|content-digest|repr-digest|x-amz-checksum-.*|x-amz-crc32|x-goog-hash)$/i
const OF_BYTES = /^(content-length|content-encoding|accept-ranges)$/i

/** The text of a response, rewritten; undefined where it is something else, only a part, or cannot be read. */
export function rewriteBody(response: Described, request: Requested, map: UrlMap): RewrittenBody | undefined {
  const { status, headers } = response
  if (status === 304) return { headers: weakLikeRequested(headers, request.headers['if-none-match']) }
  const text = textOf(response)
  if (text === undefined || (text.decoders.length > 0 && refusesPlain(request.headers))) return undefined
  const rewritten = headersOfRewritten(headers)
  if (request.method === 'HEAD') return { headers: rewritten }
  return {
    headers: rewritten,
    open(to) {
      const input = new PassThrough()
      // A pipeline adds several, and so may a request that is sent once more.
      to.setMaxListeners(20)
      const ended = (error: Error | null): void => void (error && to.destroy())
      createDecoders(text.decoders, input)
        .then((streams) => pipeline([input, ...streams, rewritingStream(map, text.type), to], ended))
        .catch(() => to.destroy())
      return input
    },
  }
}

// Whether `deflate` has a wrapper is only known from its first bytes.
async function createDecoders(decoders: readonly Decoder[], input: PassThrough): Promise<Transform[]> {
  if (decoders.length === 0) return []
  await once(input, 'readable')
  const start = input.read() as Buffer | null
  if (start !== null) input.unshift(start)
  return Promise.all(
    decoders.map(async (decoder, index) =>
      decoder.createDecoder(index === 0 ? (start ?? NOTHING) : undefined),
    ),
  )
}

/** A response that is there as a whole, its text rewritten; the same where it names nothing that is to be. */
export function rewriteWhole<
  Response extends Described & { readonly body?: string | Uint8Array | undefined },
>(response: Response, map: UrlMap): Response {
  const { headers, body } = response
  const text = body === undefined ? undefined : textOf(response)
  if (body === undefined || text === undefined || text.decoders.length > 0) return response
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body)
  const rewriter = createByteRewriter(map, text.type)
  const rewritten = Buffer.concat([rewriter.write(bytes), rewriter.end()])
  if (rewritten.equals(bytes)) return response
  const given = typeof body === 'string' ? rewritten.toString('latin1') : rewritten
  return { ...response, headers: headersOfRewritten(headers), body: given }
}

// The type of a text, and what takes its codings off, the last first.
function textOf({ status, headers }: Described): { type: string; decoders: readonly Decoder[] } | undefined {
  if (status < 200 || status === 204 || status === 206) return undefined
  const pairs = pairsOf(headers)
  const type = pairs.find(([name]) => /^content-type$/i.test(name))?.[1] ?? ''
  if (!KINDS.has(mediaKindOf(type)) || pairs.some(([name]) => ADDRESSED.test(name))) return undefined
  const codings = codingsOf(pairs)
  const decoders = codings.toReversed().flatMap((coding) => CONTENT_CODINGS.get(coding) ?? [])
  return decoders.length < codings.length ? undefined : { type, decoders }
}

/** Rewrites the text of a media type as it comes. What is decided waits for nothing. */
export function rewritingStream(map: UrlMap, type: string): Transform {
  const rewriter = createByteRewriter(map, type)
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, rewriter.write(chunk)),
    flush: (done) => done(null, rewriter.end()),
  })
}

// Without what is only true of the bytes that were there before; a strong ETag becomes weak (RFC 9110, section 8.8.1).
function headersOfRewritten(headers: FlatHeaders): FlatHeaders {
  return pairsOf(headers)
    .filter(([name]) => !OF_BYTES.test(name) && !CHECKSUM.test(name))
    .flatMap(([name, value]) => [
      name,
      /^etag$/i.test(name) && !value.startsWith('W/') ? `W/${value}` : value,
    ])
}

/**
 * The headers of a request from a client that has weak ETags of rewritten bodies. With `If-Match`, none of them could
 * ever match (RFC 9110, section 13.1.1), so that those it names are taken for the strong ones that they were.
 */
export function strongIfMatch(headers: FlatHeaders): FlatHeaders {
  return pairsOf(headers).flatMap(([name, value]) => [
    name,
    /^if-match$/i.test(name) ? value.replace(/(^|,)(\s*)W\/(?=")/g, '$1$2') : value,
  ])
}

// A client updates what it has by the ETag that it has (RFC 9111, section 4.3.4).
function weakLikeRequested(headers: FlatHeaders, requested: unknown): FlatHeaders {
  return pairsOf(headers).flatMap(([name, value]) => [
    name,
    /^etag$/i.test(name) && String(requested).includes(`W/${value}`) ? `W/${value}` : value,
  ])
}

// RFC 9110, section 12.5.3.
function refusesPlain({ 'accept-encoding': accepted = '' }: Headers): boolean {
  const weights = String(accepted).toLowerCase().replaceAll(/\s/g, '').split(',')
  const isZero = (name: string): boolean =>
    weights.some((each) => new RegExp(`^${name};q=0(\\.0*)?$`).test(each))
  const isNamed = weights.some((each) => each.startsWith('identity'))
  return isZero('identity') || (!isNamed && isZero('\\*'))
}

interface ByteRewriter {
  write(bytes: Buffer): Buffer
  end(): Buffer
}

const NOTHING = Buffer.alloc(0)

/** Bytes of any charset that has ASCII in it are letters as they are; UTF-16 is read as such. */
function createByteRewriter(map: UrlMap, type: string): ByteRewriter {
  const { write, end } = map.rewriter()
  const plain: ByteRewriter = {
    write: (bytes) => Buffer.from(write(bytes.toString('latin1')), 'latin1'),
    end: () => Buffer.from(end(), 'latin1'),
  }
  const charset = mediaParameters(type).get('charset')?.toLowerCase()
  if (charset?.startsWith('utf-16') === true) return wide(plain, charset === 'utf-16be')
  if (charset !== undefined) return plain
  // Without one, a mark at the beginning says which of the two it is.
  let [known, start]: [ByteRewriter | undefined, Buffer] = [undefined, NOTHING]
  return {
    write(bytes) {
      if (known !== undefined) return known.write(bytes)
      start = start.length === 0 ? bytes : Buffer.concat([start, bytes])
      const [first = 0, second] = start
      if (first >= 0xfe && second === undefined) return NOTHING
      const isWide = first + (second ?? 0) === 0xff + 0xfe && first >= 0xfe
      known = isWide ? wide(plain, first === 0xfe) : plain
      return known.write(start)
    },
    end: () => Buffer.concat([known === undefined ? plain.write(start) : NOTHING, (known ?? plain).end()]),
  }
}

/** Rewrites UTF-16 as UTF-8. @param isBigEndian unless a mark at the beginning says otherwise */
function wide(plain: ByteRewriter, isBigEndian: boolean): ByteRewriter {
  const decoder = new StringDecoder('utf16le')
  let [odd, isSwapped, isFirst] = [NOTHING, isBigEndian, true]
  const swap = (bytes: Buffer): Buffer => (isSwapped ? Buffer.from(bytes).swap16() : bytes)
  const back = (bytes: Buffer): Buffer => swap(Buffer.from(bytes.toString(), 'utf16le'))
  return {
    write(bytes) {
      const all = Buffer.concat([odd, bytes])
      const even = all.subarray(0, all.length - (all.length % 2))
      odd = all.subarray(even.length)
      if (isFirst && even.length > 0) {
        isFirst = false
        const mark = even.readUInt16LE(0)
        if (mark === 0xfeff || mark === 0xfffe) isSwapped = mark === 0xfffe
      }
      return back(plain.write(Buffer.from(decoder.write(swap(even)))))
    },
    end: () => Buffer.concat([back(plain.end()), odd]),
  }
}
