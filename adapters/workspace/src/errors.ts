import { AdapterFault } from 'sim-gateway/adapter'

/** The HTTP status that goes with each error code, unless a place says otherwise. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  DIRECTORY_NOT_EMPTY: 400,
  INVALID_PARAMETER_VALUE: 400,
  INVALID_STATE: 400,
  IO_ERROR: 400,
  MALFORMED_REQUEST: 400,
  MAX_BLOCK_SIZE_EXCEEDED: 400,
  MAX_NOTEBOOK_SIZE_EXCEEDED: 400,
  MAX_READ_SIZE_EXCEEDED: 400,
  QUOTA_EXCEEDED: 400,
  RESOURCE_ALREADY_EXISTS: 400,
  RESOURCE_LIMIT_EXCEEDED: 400,
  CUSTOMER_UNAUTHORIZED: 401,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  ENDPOINT_NOT_FOUND: 404,
  FEATURE_DISABLED: 404,
  NOT_FOUND: 404,
  RESOURCE_DOES_NOT_EXIST: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_CONFLICT: 409,
  REQUEST_LIMIT_EXCEEDED: 429,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  DATA_LOSS: 500,
  INTERNAL_ERROR: 500,
  UNKNOWN: 500,
  NOT_IMPLEMENTED: 501,
  TEMPORARILY_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const

/** A code that clients make their error classes from. */
export type ErrorCode = keyof typeof STATUS_BY_CODE

/** One entry of an envelope's `details`. */
export interface ErrorDetail {
  readonly '@type': string
  readonly [field: string]: unknown
}

/** What may differ from the plain answer of a code. */
export interface ErrorOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly details?: readonly ErrorDetail[]
}

/** The body of an error: `details` only where there are some, each with the `metadata` clients stumble without. */
export function errorBody(code: string, message: string, details?: readonly ErrorDetail[]): object {
  const complete = details?.map((detail) => ({ metadata: {}, ...detail }))
  return { error_code: code, message, ...(complete && { details: complete }) }
}

/** An error in the service's envelope; `throw` it from a handler. */
export function workspaceError(code: ErrorCode, message: string, options: ErrorOptions = {}): AdapterFault {
  return new AdapterFault({
    status: options.status ?? STATUS_BY_CODE[code],
    ...(options.headers && { headers: options.headers }),
    body: errorBody(code, message, options.details),
  })
}

/** 400 INVALID_PARAMETER_VALUE. */
export function invalid(message: string): AdapterFault {
  return workspaceError('INVALID_PARAMETER_VALUE', message)
}

/** Why a request with such values would be refused, for fixtures that hold the same; `undefined` when it would not be. */
export function refusalOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (AdapterFault.is(error)) return String((error.body as { readonly message?: string }).message)
    throw error
  }
}
