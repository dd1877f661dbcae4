import { STATUS_CODES } from 'node:http'
import { textOf } from '../../engine/schema/keywords.ts'
import type { Components } from './components.ts'
import type { Header, Response } from './document.ts'
import { failuresOf, isLimited, QUOTA_HEADERS, type FailureContext } from './failures.ts'
import { joinResponses, type Reason } from './join-responses.ts'
import { plain, type Hide } from './plain.ts'
import { createScope } from './scope.ts'

/** What the responses of an operation are found from. */
export interface ResponseContext extends FailureContext {
  readonly components: Components
  /** A sampled success answer. */
  readonly example: unknown
  readonly hide: Hide
}

/** The responses of an operation by status: the success first, then every error it may answer with. */
export function responsesOf(context: ResponseContext): Record<string, Response> {
  const reasons = [successOf(context), ...failuresOf(context)]
  return joinResponses(reasons.map((reason) => documented(reason, context)))
}

function successOf({ route, store, example }: ResponseContext): Reason {
  const { output, status, headers = {} } = route.options
  const isEmpty = output === undefined || store?.does === 'remove'
  const usual = isEmpty && route.method === 'DELETE' ? 204 : 200
  return {
    status: status ?? usual,
    description: STATUS_CODES[status ?? usual] ?? 'Success',
    headers: { ...headersOf(headers), ...(isLimited(route) && QUOTA_HEADERS) },
    ...(!isEmpty && { body: output, example, type: textOf(output, 'contentMediaType') }),
  }
}

// OpenAPI gives the content type by the content itself, and ignores a header of that name.
function headersOf(headers: Readonly<Record<string, string>>): Record<string, Header> {
  const declared = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return Object.fromEntries(
    declared.map(([name, value]) => [
      name,
      // A name in braces stands for what each answer has.
      { schema: { type: 'string' }, ...(!/\{[\w.-]+\}/.test(value) && { example: value }) },
    ]),
  )
}

/** A reason with its body as the document has it, and without secrets in its examples. */
function documented(reason: Reason, { components, hide }: ResponseContext): Reason {
  const { headers = {}, body, example, ...others } = reason
  const shown = Object.entries(headers).map(([name, header]): [string, Header] => [
    name,
    { ...header, ...(header.example !== undefined && { example: hide(header.example) }) },
  ])
  return {
    ...others,
    headers: Object.fromEntries(shown),
    ...(body !== undefined && {
      body: typeof body === 'boolean' ? body : components.use(body, createScope(body)),
    }),
    ...(example !== undefined && { example: hide(plain(example)) }),
  }
}
