import type { Content, Exchange, PostData } from '../files/exchange.ts'
import { toInline, withoutText } from '../files/inline-body.ts'

/** A HAR 1.2 document (http://www.softwareishard.com/blog/har-12-spec/). */
export interface HarDocument {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly Exchange[]
  }
}

/**
 * A recording as one HAR document, with every body inside it.
 * @param bodyOf reads a body from its file; undefined where it was left out
 */
export async function toHar(
  exchanges: AsyncIterable<Exchange>,
  version: string,
  bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>,
): Promise<HarDocument> {
  const entries: Exchange[] = []
  for await (const exchange of exchanges) {
    const { request, response } = exchange
    const postData = request.postData && (await inlined(request.postData, bodyOf, '_encoding'))
    entries.push({
      ...exchange,
      request: { ...request, url: urlOf(exchange), ...(postData && { postData }) },
      response: { ...response, content: await inlined(response.content, bodyOf, 'encoding') },
    })
  }
  return { log: { version: '1.2', creator: { name: 'sim-gateway', version }, entries } }
}

// Viewers know a WebSocket by the scheme of its URL.
function urlOf({ request, _resourceType: type }: Exchange): string {
  return type === 'websocket' ? request.url.replace(/^http/i, 'ws') : request.url
}

async function inlined<Body extends Content | PostData>(
  body: Body,
  bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>,
  encoding: 'encoding' | '_encoding',
): Promise<Body> {
  if (body._file === undefined) return body
  const bytes = await bodyOf(body)
  if (bytes === undefined) return body
  const { text, isBase64 } = toInline(bytes)
  const { _file: _path, ...others } = withoutText(body)
  return { ...others, text, ...(isBase64 && { [encoding]: 'base64' }) } as unknown as Body
}
