import {
  RequestMalformed,
  SimError,
  UpstreamTimeout,
  UpstreamUnreachable,
  UpstreamUntrusted,
} from '../errors.ts'

/** An error of the connection to an upstream, by the name the client and the log get to see. */
export function namedError(origin: string, error: Error): Error {
  if (SimError.is(error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_INVALID_ARG') return new RequestMalformed(error.message, { cause: error })
  if (/CERT|ERR_TLS|^ERR_SSL|UNABLE_TO_VERIFY/.test(code)) return new UpstreamUntrusted(origin, error)
  const late = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT'
  return late ? new UpstreamTimeout(origin, error) : new UpstreamUnreachable(origin, error)
}
