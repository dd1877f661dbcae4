import { STATUS_CODES } from 'node:http'
import { InputInvalid, SimError, SimulatedFailure } from '../errors.ts'
import { utf8Bytes } from '../message.ts'
import type { HttpRequest, HttpResponse } from '../message.ts'
import { negotiatorOf } from '../routing/negotiator.ts'

const TYPE = 'application/problem+json'

/**
 * An error as problem details (RFC 9457), where the client accepts them; `undefined` where it does not, and for what is
 * wrong with the simulation itself.
 * @param status in place of the error's own
 */
export function problemResponse(
  error: Error,
  { headers }: Pick<HttpRequest, 'headers'>,
  status?: number,
): HttpResponse | undefined {
  if (!SimError.is(error)) return undefined
  const { statusCode, code, message } = error
  if ((statusCode >= 500 && !(error instanceof SimulatedFailure)) || !accepts(headers['accept']))
    return undefined
  const own = status ?? statusCode
  const errors = error instanceof InputInvalid ? error.issues.map(issueOf) : undefined
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[own],
    status: own,
    detail: message,
    code,
    errors,
  }
  const flat = Object.entries(error.headers).flat()
  return { status: own, headers: [...flat, 'content-type', TYPE], body: utf8Bytes(JSON.stringify(problem)) }
}

function accepts(accept: HttpRequest['headers']['accept']): boolean {
  const wanted = [accept ?? []].flat().join(',')
  return wanted.trim() === '' || negotiatorOf({ accept: wanted }).mediaType([TYPE]) !== undefined
}

function issueOf({
  msg,
  loc: [place, ...path],
}: InputInvalid['issues'][number]): Readonly<Record<string, unknown>> {
  const pointer = `#${path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`
  return place === 'body' ? { detail: msg, pointer } : { detail: msg, in: place, parameter: path.join('.') }
}
