import { fillHeaders, type HeaderValues } from '../collections/fill-headers.ts'
import { createPagedOutput } from '../collections/paging/paged-output.ts'
import { createStateful } from '../collections/stateful.ts'
import { createValidator } from '../engine/answer-validator.ts'
import type { JsonWriter } from '../engine/engine.ts'
import { createOutput, type Output } from '../engine/generate-output.ts'
import { isStateful, type RouteDefinition } from '../engine/route.ts'
import { textOf } from '../engine/schema/keywords.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { Answer, WrittenContent } from '../message.ts'
import { createOperationHandler } from '../openapi/serve/answer-operation.ts'
import type { HandlerOptions, RouteHandler } from './route-handler.ts'

/** Compiles what answers a route: its description, its page table, stored items or generation, whichever it has. */
export function compileHandler(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  return route.operation === undefined
    ? compileDeclared(route, routes, options)
    : createOperationHandler({ ...route, operation: route.operation }, routes, options)
}

function compileDeclared(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  const output = createOutput(route, options)
  const paged = createPagedOutput(route, options)
  const validate = options.validateResponses ? createValidator(route, route.options.output) : undefined
  const stateful =
    options.hasStore && isStateful(route, options.stateful)
      ? createStateful(route, routes, { output, paged }, options)
      : undefined
  const { status, headers } = route.options
  const answerWith = (values: HeaderValues): Answer => {
    const { body } = values
    const filled = fillHeaders(headers, values)
    if (body === undefined)
      return { status: status ?? (route.method === 'DELETE' ? 204 : 200), headers: filled }
    const content = contentOf(route.options.output, body)
    return { status: status ?? 200, headers: filled, body, ...(content !== undefined && { content }) }
  }

  // Nothing is stored before the answer is known to be good.
  const handle: RouteHandler = (request, match, input, store) => {
    if (stateful === undefined || store === undefined || route.options.pageTable !== undefined) {
      const made = paged?.generate(request, input) ?? { body: output.generate(request, input) }
      validate?.(made.body)
      return answerWith({ input, ...made })
    }
    const { store: keep, ...made } = stateful(request, match, input, store)
    validate?.(made.body)
    keep?.()
    return answerWith({ input, ...made })
  }
  const isSpecial = stateful !== undefined || paged !== undefined || validate !== undefined
  const isPlain = !isSpecial && headers === undefined && mediaTypeOf(route.options.output) === undefined
  return isPlain ? Object.assign(handle, { jsonWriter: jsonWriterOf(output, status ?? 200) }) : handle
}

function jsonWriterOf(output: Output, status: number): JsonWriter | undefined {
  return output.write && { status, isPure: output.isPure, write: output.write }
}

// A text whose model names its media type is sent as that.
function contentOf(output: Schema | undefined, body: unknown): WrittenContent | undefined {
  const type = mediaTypeOf(output)
  if (type === undefined || typeof body !== 'string') return undefined
  return { type, data: output?.['contentEncoding'] === 'base64' ? Buffer.from(body, 'base64') : body }
}

function mediaTypeOf(output: Schema | undefined): string | undefined {
  return output === undefined ? undefined : textOf(output, 'contentMediaType')
}
