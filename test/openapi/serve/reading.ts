import type { HttpRequest } from '../../../src/message.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { createOperationReader } from '../../../src/openapi/serve/operation-input.ts'
import type { Operation, Parameter, RequestBody } from '../../../src/engine/operation.ts'
import { createRouter } from '../../../src/routing/router.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { InputInvalid, type InputIssue } from '../../../src/errors.ts'

/** A parameter with the style and explode that OpenAPI takes where a description says nothing. */
export function parameter(
  given: Pick<Parameter, 'name' | 'in'> & Partial<Omit<Parameter, 'model'>> & { readonly model?: Schema },
): Parameter {
  const style = given.style ?? (given.in === 'query' || given.in === 'cookie' ? 'form' : 'simple')
  return {
    required: given.in === 'path',
    style,
    explode: style === 'form',
    ...given,
    model: given.model ?? { type: 'string' },
  }
}

/** An operation that says nothing but what it is given. */
export function operationOf(given: Partial<Operation>): Operation {
  return { place: 'api.yaml:1 #/paths', parameters: [], responses: [], security: [], ...given }
}

/** A body of one media type. */
export function bodyOf(type: string, model?: Schema, rest: Partial<RequestBody> = {}): RequestBody {
  return { required: true, content: new Map([[type, { model, examples: [] }]]), ...rest }
}

export interface Sent {
  readonly path?: string
  readonly search?: string
  readonly headers?: HttpRequest['headers']
  readonly body?: unknown
}

/** Reads requests as an engine does: the path is matched, and the input read. */
export function readerOf(template: string, given: Partial<Operation>, method: Method = 'POST') {
  const operation = operationOf(given)
  const route = { ...createRoute(method, template, {}), operation }
  const router = createRouter([route])
  const read = createOperationReader(template, operation)
  return ({ path = template, search = '', headers = {}, body }: Sent): Readonly<Record<string, unknown>> => {
    const match = router.match({ method, path })
    if (match === undefined) throw new Error(`${path} is not ${template}`)
    return read({ method, scheme: 'http', host: 'x', path, search, headers, body }, match.params)
  }
}

/** The issues that reading ends with. */
export function issuesOf(read: () => unknown): readonly InputIssue[] {
  try {
    read()
  } catch (error) {
    if (error instanceof InputInvalid) return error.issues
    throw error
  }
  throw new Error('The input was accepted')
}
