import { createValidator } from './answer-validator.ts'
import type { Answerer, AnswerOptions, PlainAnswerer } from './answerer.ts'
import type { Answer } from './call.ts'
import { createOutput, type Output } from './generate-output.ts'
import { createOperationAnswerer } from './operation/answer-operation.ts'
import type { Route } from './route.ts'
import { createStateful } from './stateful.ts'

/** A route's way from input to answer: store, page table or generation, then validation, and only then storing. */
export function createAnswerer(route: Route, routes: readonly Route[], options: AnswerOptions): Answerer {
  if (route.operation !== undefined) {
    return createOperationAnswerer({ ...route, operation: route.operation }, routes, options)
  }
  const output = createOutput(route, options)
  const validate = options.validateResponses ? createValidator(route, route.options.output) : undefined
  const isStateful = options.store !== undefined && options.stateful
  const stateful = isStateful ? createStateful(route, routes, output, options) : undefined
  const { status, headers = {} } = route.options
  const answerWith = (body: unknown): Answer =>
    body === undefined
      ? { status: status ?? (route.method === 'DELETE' ? 204 : 200), headers }
      : { status: status ?? 200, headers, body }

  const answer: Answerer = (call, match, input, store) => {
    if (stateful === undefined || store === undefined || route.options.pageTable !== undefined) {
      const body = output.generate(call, input)
      validate?.(body)
      return answerWith(body)
    }
    const { body, store: keep } = stateful(call, match, input, store)
    validate?.(body)
    keep?.()
    return answerWith(body)
  }
  const isPlain = !isStateful && validate === undefined && Object.keys(headers).length === 0
  return isPlain ? Object.assign(answer, { plain: plainAnswerer(output, status ?? 200) }) : answer
}

function plainAnswerer(output: Output, status: number): PlainAnswerer | undefined {
  return output.write && { status, isPure: output.isPure, write: output.write }
}
