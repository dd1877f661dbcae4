import { isUtf8 } from 'node:buffer'
import { contentKindOf } from '../../media-type.ts'
import {
  type Content,
  type Exchange,
  type NameValue,
  type PostData,
  type Redacted,
  toInline,
  withoutText,
} from '../exchange.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { CHECKED_BYTES } from './decode.ts'
import type { ChangeExchange } from './operations.ts'
import { openBody } from './read-body.ts'
import type { Select } from './select.ts'

/** Takes out the exchanges that are meant. */
export function removing(select: Select): ChangeExchange {
  return (exchange) => (select(exchange) ? undefined : exchange)
}

/**
 * Redacts the exchanges that are meant, as if they were recorded now: with the bodies in files that hold text.
 * @param directory of the recording
 */
export function redacting(directory: string, redactor: Redactor, select: Select): ChangeExchange {
  return async (exchange) => {
    if (!select(exchange)) return exchange
    const whole = await withTexts(directory, exchange)
    const redacted = redactor.exchange(whole)
    return JSON.stringify(redacted) === JSON.stringify(whole) ? exchange : redacted
  }
}

/**
 * Gives another host to the exchanges that are meant: in the URL and in all headers, and in the text of bodies too
 * where `inBodies` says so.
 * @param from host, with its port if it has one
 */
export function renamingHost(
  directory: string,
  from: string,
  to: string,
  select: Select,
  inBodies: boolean,
): ChangeExchange {
  const pattern = new RegExp(
    String.raw`(?<![\w.-])${from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\w.-]|:\d)`,
    'gi',
  )
  const renamed = (text: string): string => text.replaceAll(pattern, () => to)
  const renamedAll = (pairs: readonly NameValue[]): NameValue[] =>
    pairs.map((pair) => ({ ...pair, value: renamed(pair.value) }))
  const body = <Body extends Content | PostData>(each: Body): Body => {
    const { text } = each
    const isText = text !== undefined && !('encoding' in each) && !('_encoding' in each)
    return inBodies && isText ? { ...each, text: renamed(text) } : each
  }
  return async (exchange) => {
    const url = new URL(exchange.request.url)
    if (url.host !== from.toLowerCase() || !select(exchange)) return exchange
    const { request, response, ...others } = inBodies ? await withTexts(directory, exchange) : exchange
    const { postData } = request
    return {
      ...others,
      request: {
        ...request,
        url: request.url.replace(/^(https?:\/\/(?:[^/@]*@)?)[^/?#]*/i, (_all, start: string) => start + to),
        headers: renamedAll(request.headers),
        ...(postData && { postData: body(postData) }),
      },
      response: {
        ...response,
        headers: renamedAll(response.headers),
        redirectURL: renamed(response.redirectURL),
        cookies: response.cookies.map((cookie) =>
          cookie.domain === undefined ? cookie : { ...cookie, domain: renamed(cookie.domain) },
        ),
        content: body(response.content),
      },
    } as unknown as Redacted<Exchange>
  }
}

/** An exchange whose bodies are inline, also those of files, but for binary ones and those too long to be checked. */
export async function withTexts(directory: string, exchange: Exchange): Promise<Exchange> {
  const { request, response } = exchange
  const postData = request.postData && (await withText(directory, request.postData, '_encoding'))
  const content = await withText(directory, response.content, 'encoding')
  if (postData === request.postData && content === response.content) return exchange
  return {
    ...exchange,
    request: { ...request, ...(postData && { postData }) },
    response: { ...response, content },
  }
}

async function withText<Body extends Content | PostData>(
  directory: string,
  body: Body,
  encoding: 'encoding' | '_encoding',
): Promise<Body> {
  if (body._file === undefined) return body
  const bytes = await openBody(directory, body, CHECKED_BYTES)
  if (!Buffer.isBuffer(bytes)) return body
  // JSON is sent under types of all kinds.
  if (contentKindOf(body.mimeType) === 'binary' && !isUtf8(bytes)) return body
  const { text, isBase64 } = toInline(bytes)
  const { _file: _path, _sha256: _sum, ...rest } = withoutText(body) as unknown as Content
  return { ...rest, text, ...(isBase64 && { [encoding]: 'base64' }) } as unknown as Body
}
