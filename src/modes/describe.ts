import { jsonResponse, utf8Bytes, type Awaitable, type HttpRequest, type HttpResponse } from '../message.ts'

/** The page that describes the declared routes, where a request is for it. */
export type Describe = (request: HttpRequest) => Awaitable<HttpResponse> | undefined

/**
 * Serves an OpenAPI document at `/openapi.json`, and a page to browse it at `/docs`.
 * @param document makes the document; called once, when it is first requested
 */
export function createDescribe(document: () => unknown): Describe {
  let json: string | undefined
  return ({ method, path }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (path === '/openapi.json') {
      json ??= utf8Bytes(JSON.stringify(document()))
      return jsonResponse(200, json)
    }
    return path === '/docs' ? page() : undefined
  }
}

async function page(): Promise<HttpResponse> {
  const { docsPage } = await import('../openapi/docs-page/docs-page.ts')
  // The address is relative, so that it also holds where the app is mounted below a path.
  const body = utf8Bytes(docsPage('openapi.json'))
  return { status: 200, headers: ['content-type', 'text/html; charset=utf-8'], body }
}
