import { LRUCache } from 'lru-cache'
import { createDrawnInput } from '../../engine/drawn-input.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import type { Content, Operation } from '../../engine/operation.ts'
import { contentStream } from '../../engine/random.ts'
import { fieldsOf } from '../../engine/schema/fields.ts'
import { createResolver } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Answer, Headers, HttpRequest } from '../../message.ts'
import type { HandlerOptions } from '../../simulation/route-handler.ts'
import type { ChosenResponse, OpenApiRoute } from './choose-response.ts'
import { negotiate, type Negotiated } from './choose-media-type.ts'
import { createEtag, type MakeEtag } from './described-etag.ts'
import type { Known } from './header-values.ts'
import type { OwnUrls } from './own-urls.ts'
import { createResponseForm, type ResponseForm } from './response-form.ts'
import { createHeaders } from './response-headers.ts'

/** A declared response, whose parts are compiled when they are first needed. */
export interface CompiledResponse extends ChosenResponse {
  /**
   * The form of the body that a request takes; `undefined` where there is no content.
   * @param input what the request says beside its `Accept`: one that wants a stream gets it
   * @throws NotAcceptable
   */
  formFor(headers: Headers, input?: Input): ResponseForm | undefined
  formOf(negotiated: Negotiated): ResponseForm
  headers(request: HttpRequest, input: Input, known?: Known): Readonly<Record<string, string>>
  /** Makes the ETag of a body, where one is declared. */
  readonly makeEtag: MakeEtag | undefined
}

/** The responses of an operation, each compiled once for its status. */
export function createResponses(
  route: OpenApiRoute,
  options: HandlerOptions,
  urls: OwnUrls,
): (chosen: ChosenResponse) => CompiledResponse {
  const stream = contentStream(options.seed, `headers of ${route.key}`)
  const drawnInput = createDrawnInput(route)
  const responses = new Map<number, CompiledResponse>()

  const compile = ({ status, rule }: ChosenResponse): CompiledResponse => {
    const { content } = rule
    const hasContent = status >= 200 && !BODILESS.has(status)
    const forms = new Map<string, ResponseForm>()
    // Clients send the same few `Accept` headers again and again.
    const byAccept = new LRUCache<string, ResponseForm>({ max: MAX_ACCEPTS })
    const makeHeaders = lazy(() => createHeaders(rule, status, route.key))
    const formOf = (negotiated: Negotiated): ResponseForm => {
      const form = forms.get(negotiated.type) ?? createResponseForm(route, rule, negotiated, options, urls)
      // Types that only requests name, where the description has a range, are not to fill the memory.
      if (content.has(form.type)) forms.set(form.type, form)
      return form
    }
    const choose = (accept: Headers['accept']): ResponseForm | undefined => {
      const negotiated = negotiate(content, accept)
      return negotiated && formOf(negotiated)
    }
    const usual = lazy(() => choose(undefined))
    const streamed = streamType(route.operation, content)
    return {
      status,
      rule,
      formOf,
      formFor({ accept }, input) {
        if (!hasContent) return undefined
        if (streamed !== undefined && input?.['stream'] === true) return choose(streamed)
        if (accept === undefined) return usual()
        if (typeof accept !== 'string') return choose(accept)
        const form = byAccept.get(accept) ?? choose(accept)
        if (form !== undefined && content.has(form.type)) byAccept.set(accept, form)
        return form
      },
      headers: (request, input, known) =>
        makeHeaders()(request, input, () => stream.childOfValue(drawnInput(input)), known),
      makeEtag: createEtag(rule),
    }
  }
  return (chosen) => {
    const response = responses.get(chosen.status) ?? compile(chosen)
    responses.set(chosen.status, response)
    return response
  }
}

const MAX_ACCEPTS = 20

// Where an answer may come as a whole or item by item, a body's `stream: true` says that it does the latter.
function streamType({ body }: Operation, content: Content): string | undefined {
  const types = [...content.keys()]
  const streamed = types.find((type) => ['events', 'json-lines'].includes(mediaKindOf(type)))
  if (streamed === undefined || types.length < 2) return undefined
  const mayBeWanted = [...(body?.content.values() ?? [])].some(
    ({ model }) => model !== undefined && fieldsOf(model, createResolver(model)).has('stream'),
  )
  return mayBeWanted ? streamed : undefined
}

// RFC 9110: these have no content whatever a description says.
const BODILESS = new Set([204, 205, 304])

/**
 * The answer of a status with a body in its form.
 * @param call where the body's URLs lead back to; absent where they stay as they are
 */
export function answerOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  form: ResponseForm | undefined,
  body: unknown,
  makeEtag?: MakeEtag,
  call?: HttpRequest,
): Answer {
  if (form === undefined || body === undefined) return { status, headers }
  const content = form.write(body, call)
  return {
    status,
    headers: makeEtag === undefined ? headers : { ...headers, etag: makeEtag(content) },
    body,
    content,
  }
}
