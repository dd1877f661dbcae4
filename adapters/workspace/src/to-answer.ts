import type { FailedRequest, Failure, ReplyParts } from 'sim-gateway/adapter'
import { errorBody, STATUS_BY_CODE, type ErrorCode } from './errors.ts'

interface Explained {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** Gives a failure of the kit's the form that the service's errors have. */
export function toAnswer(failure: Failure, request: FailedRequest): ReplyParts {
  const { code, message, status = STATUS_BY_CODE[code], retryAfterSeconds } = explain(failure, request)
  const mustWait = status === 429 || status === 503
  const wait = retryAfterSeconds ?? (mustWait ? 1 : undefined)
  return {
    status,
    ...(wait !== undefined && { headers: { 'retry-after': String(wait) } }),
    body: request.path.includes('/scim/v2/') ? scimBody(status, message) : errorBody(code, message),
  }
}

function explain(failure: Failure, { method, path }: FailedRequest): Explained {
  switch (failure.kind) {
    case 'unknown-path':
    case 'method-not-allowed':
      return {
        code: 'ENDPOINT_NOT_FOUND',
        message: `No API found for '${method} ${path.replace(/^\/api\/[\d.]+/, '')}'`,
      }
    case 'unimplemented':
      return {
        code: 'NOT_IMPLEMENTED',
        message: `${failure.operation} is not implemented by this simulation.`,
      }
    case 'no-credentials':
      return {
        code: 'UNAUTHENTICATED',
        message: 'Credential was not sent or was of an unsupported type for this API.',
      }
    case 'bad-credentials':
      return { code: 'UNAUTHENTICATED', message: 'Invalid access token.' }
    case 'missing-scope':
      return {
        code: 'PERMISSION_DENIED',
        message: `Provided token does not have required scopes: ${failure.scope}`,
      }
    case 'denied':
      return {
        code: 'PERMISSION_DENIED',
        message: failure.reason ?? `${failure.operation} is not permitted.`,
      }
    case 'malformed-body':
      // What is wrong with it might quote it, and with it a secret.
      return {
        code: 'MALFORMED_REQUEST',
        message: 'Could not parse request object: the body is not valid JSON.',
      }
    case 'body-too-large':
      return {
        code: 'MALFORMED_REQUEST',
        status: 413,
        message: `The request body is longer than ${failure.limit} bytes.`,
      }
    case 'page-token':
      return {
        code: 'INVALID_PARAMETER_VALUE',
        message: `The page token is not valid: it is ${failure.reason}.`,
      }
    case 'throttled':
      return {
        code: 'REQUEST_LIMIT_EXCEEDED',
        message: 'Current request has been rate limited. Please retry after some time.',
        retryAfterSeconds: failure.retryAfterSeconds,
      }
    case 'injected':
      return injected(failure)
    default:
      return { code: 'INTERNAL_ERROR', message: 'The simulation failed to answer this request.' }
  }
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
