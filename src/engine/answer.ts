import { createValidator } from './answer-validator.ts'
import type { Answerer, AnswerOptions, PlainAnswerer } from './answerer.ts'
import type { Answer, WrittenContent } from '../message.ts'
import { fillHeaders, type HeaderValues } from './fill-headers.ts'
import { createOutput, type Output } from './generate-output.ts'
import { textOf } from './schema/keywords.ts'
import type { Schema } from './schema/schema.ts'
import { createOperationAnswerer } from '../openapi/serve/answer-operation.ts'
import { createPagedOutput } from './paged-output.ts'
import { isStateful, type RouteDefinition } from './route.ts'
import { createStateful } from './stateful.ts'

/** A route's way from input to answer: store, page table or generation, then validation, and only then storing. */
export function createAnswerer(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  options: AnswerOptions,
): Answerer {
  if (route.operation !== undefined) {
    return createOperationAnswerer({ ...route, operation: route.operation }, routes, options)
  }
  const output = createOutput(route, options)
  const paged = createPagedOutput(route, options)
  const validate = options.validateResponses ? createValidator(route, route.options.output) : undefined
  const stateful =
    options.store !== undefined && isStateful(route, options.stateful)
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

  const answer: Answerer = (call, match, input, store) => {
    if (stateful === undefined || store === undefined || route.options.pageTable !== undefined) {
      const made = paged?.generate(call, input) ?? { body: output.generate(call, input) }
      validate?.(made.body)
      return answerWith({ input, ...made })
    }
    const { store: keep, ...made } = stateful(call, match, input, store)
    validate?.(made.body)
    keep?.()
    return answerWith({ input, ...made })
  }
  const isSpecial = stateful !== undefined || paged !== undefined || validate !== undefined
  const isPlain = !isSpecial && headers === undefined && mediaTypeOf(route.options.output) === undefined
  return isPlain ? Object.assign(answer, { plain: plainAnswerer(output, status ?? 200) }) : answer
}

function plainAnswerer(output: Output, status: number): PlainAnswerer | undefined {
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
