import type { AdapterAnswer, FailedRequest, Failure } from 'sim-gateway/adapter'
import { ApiError, type Envelope, envelopeOf } from './errors.ts'

/** What the adapter answers a request that failed before or beside its operation. */
interface Parts {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Makes the body; there is none without it. */
  readonly body?: (errorInstanceId: string) => Envelope
}

type Kind = Failure['kind']
type Of<K extends Kind> = Extract<Failure, { readonly kind: K }>

const again = (retryAfterSeconds: number | undefined): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }

/** A refusal by its own status. */
const refusal = (error: ApiError): Parts => ({ status: error.status, body: (id) => error.envelope(id) })

/** What an injected failure is called when the rule does not say. */
const DEFAULT_NAMES: Readonly<Record<number, string>> = {
  400: 'Default:InvalidArgument',
  401: 'Default:Unauthorized',
  403: 'Default:PermissionDenied',
  409: 'Default:Conflict',
  413: 'Default:RequestEntityTooLarge',
}

/** Statuses that the service may answer without any JSON. */
const BARE = [404, 414, 429, 431, 503]

const injected = ({ status, code, retryAfterSeconds }: Of<'injected'>): Parts => {
  const headers = again(retryAfterSeconds)
  if (code === undefined && BARE.includes(status)) return { status, headers }
  const name = code ?? DEFAULT_NAMES[status] ?? 'Default:Internal'
  return { status, headers, body: (id) => envelopeOf(name, status, id) }
}

const denied = ({ operation, resource, reason }: Of<'denied'>): Parts =>
  refusal(
    new ApiError(
      'Default:PermissionDenied',
      { operation, ...(resource !== undefined && { resource }) },
      reason,
    ),
  )

const ANSWERS: { readonly [K in Kind]: (failure: Of<K>) => Parts } = {
  // The service may leave a 404 for an unknown path without a body.
  'unknown-path': () => ({ status: 404 }),
  'method-not-allowed': ({ allowed }) => ({ status: 405, headers: { allow: allowed.join(', ') } }),
  unimplemented: ({ operation }) => ({
    ...refusal(
      new ApiError(
        'Default:Internal',
        { operation },
        `sim-ontology knows ${operation} but does not implement it`,
      ),
    ),
    status: 501,
  }),
  'no-credentials': () => refusal(new ApiError('MissingCredentials')),
  'bad-credentials': () => refusal(new ApiError('Default:Unauthorized')),
  'missing-scope': ({ scope }) => refusal(new ApiError('ApiUsageDenied', { missingScope: scope })),
  denied,
  'malformed-body': ({ reason }) => refusal(new ApiError('Conjure:InvalidArgument', {}, reason)),
  'body-too-large': ({ limit }) => refusal(new ApiError('Default:RequestEntityTooLarge', { limit })),
  'page-token': ({ reason }) => refusal(new ApiError('InvalidPageToken', {}, `it is ${reason}`)),
  throttled: ({ retryAfterSeconds }) => ({ status: 429, headers: again(retryAfterSeconds) }),
  injected,
  internal: () => refusal(new ApiError('Default:Internal')),
}

/** Gives every failure the form that the service's errors have. */
export const toAnswer = (failure: Failure, { ids, requestId }: FailedRequest): AdapterAnswer => {
  const answer = ANSWERS[failure.kind] as (failure: Failure) => Parts
  const { status, headers = {}, body } = answer(failure)
  if (body === undefined) return { status, headers, body: '' }
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body(ids.uuid('error', requestId))),
  }
}
