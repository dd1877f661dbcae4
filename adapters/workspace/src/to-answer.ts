import type { FailedRequest, Failure, ReplyParts } from 'sim-gateway/adapter'
import { errorBody, type ErrorCode, STATUS_BY_CODE } from './errors.ts'

interface Explained {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** Gives a failure of the kit's the form that the service's errors have. */
export function toAnswer(failure: Failure, request: FailedRequest): ReplyParts {
  const answer = ANSWERS[failure.kind] as (failure: Failure, request: FailedRequest) => Explained
  const { code, message, status = STATUS_BY_CODE[code], retryAfterSeconds } = answer(failure, request)
  const mustWait = status === 429 || status === 503
  const wait = retryAfterSeconds ?? (mustWait ? 1 : undefined)
  return {
    status,
    ...(wait !== undefined && { headers: { 'retry-after': String(wait) } }),
    body: request.path.includes('/scim/v2/') ? scimBody(status, message) : errorBody(code, message),
  }
}

type Kind = Failure['kind']
type Of<K extends Kind> = Extract<Failure, { readonly kind: K }>

const noApi = (_failure: Failure, { method, path }: FailedRequest): Explained =>
  explained('ENDPOINT_NOT_FOUND', `No API found for '${method} ${path.replace(/^\/api\/[\d.]+/, '')}'`)

const ANSWERS: { readonly [K in Kind]: (failure: Of<K>, request: FailedRequest) => Explained } = {
  'unknown-path': noApi,
  'method-not-allowed': noApi,
  unimplemented: ({ operation }) =>
    explained('NOT_IMPLEMENTED', `${operation} is not implemented by this simulation.`),
  'no-credentials': () =>
    explained('UNAUTHENTICATED', 'Credential was not sent or was of an unsupported type for this API.'),
  'bad-credentials': () => explained('UNAUTHENTICATED', 'Invalid access token.'),
  'missing-scope': ({ scope }) =>
    explained('PERMISSION_DENIED', `Provided token does not have required scopes: ${scope}`),
  denied: ({ operation, reason }) =>
    explained('PERMISSION_DENIED', reason ?? `${operation} is not permitted.`),
  // What is wrong with it might quote it, and with it a secret.
  'malformed-body': () =>
    explained('MALFORMED_REQUEST', 'Could not parse request object: the body is not valid JSON.'),
  'body-too-large': ({ limit }) => ({
    ...explained('MALFORMED_REQUEST', `The request body is longer than ${limit} bytes.`),
    status: 413,
  }),
  'page-token': ({ reason }) =>
    explained('INVALID_PARAMETER_VALUE', `The page token is not valid: it is ${reason}.`),
  throttled: ({ retryAfterSeconds }) => ({
    ...explained(
      'REQUEST_LIMIT_EXCEEDED',
      'Current request has been rate limited. Please retry after some time.',
    ),
    retryAfterSeconds,
  }),
  injected,
  internal: () => explained('INTERNAL_ERROR', 'The simulation failed to answer this request.'),
}

function explained(code: ErrorCode, message: string): Explained {
  return { code, message }
}

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  429: 'REQUEST_LIMIT_EXCEEDED',
  499: 'CANCELLED',
  501: 'NOT_IMPLEMENTED',
  503: 'TEMPORARILY_UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function injected(failure: Extract<Failure, { readonly kind: 'injected' }>): Explained {
  const { status, code, retryAfterSeconds } = failure
  const usual = CODES_BY_STATUS[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR')
  return {
    status,
    // A fault may name any code, to see what a client makes of it.
    code: (code as ErrorCode | undefined) ?? usual,
    message: `This failure was injected with status ${status}.`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

function scimBody(status: number, detail: string): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail, status: String(status) }
}
