import type { Input, ReadInput } from '../engine/input.ts'
import { Readable } from 'node:stream'
import { lazy, remembered } from '../engine/lazy.ts'
import type { MediaType } from '../engine/operation.ts'
import type { Match, RouteDefinition } from '../engine/route.ts'
import { isObject } from '../engine/schema/schema.ts'
import { SimError } from '../errors.ts'
import { readBodyContent } from '../http/body-content.ts'
import { readJsonBody, rewindableBody } from '../http/read-body.ts'
import { beginsAsObject, mediaKindOf, type MediaKind } from '../media-type.ts'
import { JSON_TYPE } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'

// Most routes take JSON alone.
const bodyReader = lazy(() => import('../openapi/serve/read-operation-body.ts'))

/** Reads what a route is found by. It is there again for who reads the body next, and for an upstream. */
export async function readRoutingContent(exchange: Exchange): Promise<void> {
  const request = exchange.transport.body()
  exchange.received = rewindableBody(request)
  exchange.isBodyRead = true
  exchange.content = await readBodyContent(request, exchange.received)
}

/** Closes the connection where a body is given up midway: what is still to come would stand in its next request's way. */
export function giveUp(exchange: Exchange, error: unknown): never {
  if (!exchange.transport.body().complete) exchange.addHeaders('connection', 'close')
  throw error
}

/**
 * Reads the body of a declared route's request by its media type.
 * @param stream its bytes, where they were read already
 * @throws InputInvalid, BodyTooLarge, MediaTypeUnsupported
 */
export function readBody(
  exchange: Exchange,
  { operation, options }: RouteDefinition,
  stream: Readable = exchange.bodyStream(),
): Promise<unknown> {
  const request = exchange.transport.body()
  const kind = mediaKindOf(request.headers['content-type'] ?? JSON_TYPE)
  if (operation?.body === undefined && !isReadAs(kind, options.input))
    return readJsonBody(request, stream, exchange)
  // Without a description a body is read as its type says, by the model of the input.
  const body = operation?.body ?? { required: false, content: new Map([['*/*', ofAnyType(options.input)]]) }
  return bodyReader().then(async ({ readOperationBody }) => {
    const value = await readOperationBody(request, body, stream, exchange)
    return operation?.body === undefined && kind === 'binary' ? { body: value } : value
  })
}

/**
 * Whether a body is JSON that its client calls a form, as curl does, or a text, as `fetch` does, where nobody says
 * otherwise.
 * @param value what its bytes say as JSON
 */
export function isJsonAsOther(
  bytes: Buffer,
  value: unknown,
  contentType: string,
  input: RouteDefinition['options']['input'],
): boolean {
  const kind = mediaKindOf(contentType)
  const isOther = kind === 'form' || (kind === 'text' && !isReadAs(kind, input))
  return isOther && isObject(value) && beginsAsObject(bytes)
}

// A text, or bytes, have no fields of their own: they are the input field `body`, where there is one.
function isReadAs(kind: MediaKind, input: RouteDefinition['options']['input']): boolean {
  if (kind !== 'text' && kind !== 'binary') return kind !== 'json'
  return input === undefined || (isObject(input['properties']) && Object.hasOwn(input['properties'], 'body'))
}

// What is read by a model is prepared once for it.
const ofAnyType = remembered((model: RouteDefinition['options']['input']): MediaType => ({
  model,
  examples: [],
}))

/**
 * Reads the input of a route. What is wrong with its model is an error of the requests that need it.
 * @param isLater whether what is wrong with an input is left to the handler, which looks at other things first
 */
export function createInput(compile: () => ReadInput, isLater = false): (exchange: Exchange) => Input {
  let read: ReadInput | undefined
  return (exchange) => {
    read ??= compile()
    try {
      return read(exchange, (exchange.match as Match).params)
    } catch (error) {
      if (!isLater || !SimError.is(error) || error.code !== 'SIM_INPUT_INVALID') throw error
      exchange.refusal = error
      return {}
    }
  }
}
