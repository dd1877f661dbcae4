import {
  RequestMalformed,
  SimError,
  UpstreamBodyTimeout,
  UpstreamCertificateExpired,
  UpstreamCertificateMismatched,
  UpstreamConnectTimeout,
  UpstreamCut,
  UpstreamHeaderTooLarge,
  UpstreamMalformed,
  UpstreamNameUnknown,
  UpstreamReset,
  UpstreamTimeout,
  UpstreamTlsFailed,
  UpstreamUnreachable,
  UpstreamUntrusted,
} from '../errors.ts'
import { asTooManyOpenFiles } from '../http/open-files.ts'

type Name = new (origin: string, cause: Error) => Error

/** What codes of Node, OpenSSL and undici mean, the first that fits. */
const MEANINGS: readonly (readonly [code: RegExp, name: Name])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, UpstreamNameUnknown],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, UpstreamCertificateExpired],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, UpstreamCertificateMismatched],
  [/CERT|UNABLE_TO_VERIFY/, UpstreamUntrusted],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, UpstreamTlsFailed],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, UpstreamHeaderTooLarge],
  [/^UND_ERR_HEADERS_TIMEOUT$/, UpstreamTimeout],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, UpstreamConnectTimeout],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, UpstreamReset],
]

/** An error of the connection to an upstream, by the name the client and the log get to see. */
export function namedError(origin: string, error: Error): Error {
  if (SimError.is(error)) return error
  const exhausted = asTooManyOpenFiles(error)
  if (exhausted !== undefined) return exhausted
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_INVALID_ARG') return new RequestMalformed(error.message, { cause: error })
  const reason = reasonOf(code, error.message)
  if (reason !== undefined) return new UpstreamMalformed(origin, reason, bytesOf(error), error)
  const [, Named] = MEANINGS.find(([codes]) => codes.test(code)) ?? []
  if (Named !== undefined) return new Named(origin, error)
  if (error.name !== 'HTTPParserError' && !/^(HPE_|UND_ERR_RES_)/.test(code))
    return new UpstreamUnreachable(origin, error)
  return new UpstreamMalformed(origin, error.message, bytesOf(error), error)
}

// undici takes no 100 that it did not wait for, and only asserts the rest.
function reasonOf(code: string, message: string): string | undefined {
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade')
    return 'it goes on in another protocol than the request offered, or with another key'
  if (code === 'UND_ERR_SOCKET' && message === 'bad response')
    return 'it begins with 100 or 101, which the request did not offer'
  return code === 'ERR_ASSERTION' ? 'its status is below 100, or is a 101 that was not offered' : undefined
}

const MAX_SHOWN = 80

/** The bytes of an answer that could not be read, quoted; none where they are not known. */
export function bytesOf(error: Error): string {
  const { data, rawPacket } = error as { readonly data?: unknown; readonly rawPacket?: Buffer }
  // Both parsers give what they could not read, in a field of their own.
  const text = typeof data === 'string' ? data : (rawPacket?.toString('latin1') ?? '')
  return text === '' ? '' : JSON.stringify(text.slice(0, MAX_SHOWN))
}

/** The error of a response that broke off after its head. */
export function breakOf(origin: string, error: Error): UpstreamCut | UpstreamBodyTimeout {
  return (error as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT'
    ? new UpstreamBodyTimeout(origin, error)
    : new UpstreamCut(origin, error, bytesOf(error))
}
