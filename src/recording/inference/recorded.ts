import { CHECKSUM } from '../../http/rewrite-body.ts'
import { contentKindOf, essenceOf } from '../../media-type.ts'
import { inlineBytes, type Content, type Exchange, type NameValue, type PostData } from '../exchange.ts'
import { exchangeIn } from '../files/lines.ts'
import { readRecordedLines } from '../files/parts.ts'
import { readBody } from '../files/read-body.ts'
import { isMalformed } from './sample.ts'

/** A recorded exchange as bytes: what is sent again, and what has to be answered. */
export interface Recorded {
  /** Where in the recording, from 0, as that of its sample. */
  readonly index: number
  readonly method: string
  readonly origin: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Absent where it was left out of the recording. */
  readonly sent: Buffer | undefined
  /** Stands for a body that was left out and that the server took: as many bytes, of which nothing else is known. */
  readonly standIn?: Buffer
  readonly status: number
  readonly answered: Answered
}

/** What is compared of an answer. */
export interface Answered {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Without parameters; empty where there is none. */
  readonly type: string
  /** Absent where it was left out of the recording. */
  readonly bytes: Buffer | undefined
}

/** Whether a route can answer with a status: others are those of no final answer (RFC 9110, section 15), or no client knows them. */
export function isAnswerable(status: number): boolean {
  return status >= 200 && status <= 599
}

/**
 * Reads a recording one exchange at a time, its bodies whole.
 * @param isLeftOut which exchanges are not needed, by their index: nothing but that is read of them
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function* eachRecorded(
  directory: string,
  isLeftOut: (index: number) => boolean = () => false,
): AsyncGenerator<Recorded> {
  let index = 0
  const bytesIn = async (body: Content | PostData | undefined): Promise<Buffer | undefined> => {
    if (body === undefined) return NO_BYTES
    if (body._omitted !== undefined) return undefined
    return body._file === undefined ? (inlineBytes(body) ?? NO_BYTES) : readBody(directory, body)
  }
  for await (const { line, path } of readRecordedLines(directory)) {
    if (isLeftOut(index) && !line.isTorn && !SWITCHED.test(line.text)) {
      yield { ...NOT_READ, index: index++ }
      continue
    }
    const exchange = exchangeIn(line, path)
    // What follows a 101 is another protocol's.
    if (exchange === undefined || exchange.response.status === 101) continue
    const { request, response } = exchange
    const { origin, pathname, search } = new URL(request.url)
    const headers = listed(request.headers)
    const standIn = standInFor(exchange)
    yield {
      index,
      method: request.method,
      origin,
      url: `${pathname}${search}`,
      headers: standIn === undefined ? headers : withoutChecksums(headers),
      ...(standIn !== undefined && { standIn }),
      sent: isMalformed(request.postData) ? NO_JSON : await bytesIn(request.postData),
      status: response.status,
      answered: {
        headers: listed(response.headers),
        type: typeOf(response.content.mimeType),
        bytes: await bytesIn(response.content),
      },
    }
    index++
  }
}

const NO_BYTES = Buffer.alloc(0)

/** Stands for what was left out of the recording since it is none. */
const NO_JSON = Buffer.from('{')

/** Longer ones would fill the memory. */
const MAX_STAND_IN = 16 * 1024 * 1024

// Who reads it as JSON has to see that it is none.
function standInFor({ request: { postData, bodySize }, response }: Exchange): Buffer | undefined {
  const isTaken = postData?._omitted !== undefined && response.status < 400
  if (!isTaken || bodySize <= 0 || bodySize > MAX_STAND_IN) return undefined
  const isOpaque = isMalformed(postData) || /^(text|binary)$/.test(contentKindOf(postData.mimeType))
  return isOpaque ? Buffer.alloc(bodySize, NO_JSON) : undefined
}

function withoutChecksums(headers: Recorded['headers']): Recorded['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CHECKSUM.test(name)))
}

// Such an exchange is not counted.
const SWITCHED = /"status"\s*:\s*101\b/

const NOT_READ: Omit<Recorded, 'index'> = {
  ...{ method: '', origin: '', url: '', headers: {}, sent: NO_BYTES, status: 0 },
  answered: { headers: {}, type: '', bytes: NO_BYTES },
}

/** Header values by name in lower case. */
export function listed(headers: readonly NameValue[]): Record<string, string[]> {
  const byName: Record<string, string[]> = {}
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    if (Object.hasOwn(byName, key)) byName[key]?.push(value)
    else byName[key] = [value]
  }
  return byName
}

/** A media type without its parameters, whatever is written there. */
export function typeOf(mimeType: string): string {
  return mimeType === '' ? '' : essenceOf(mimeType)
}
