import type { Design } from './design.ts'

/** What a server answers. */
export interface Outcome {
  readonly status: number
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Ends a request with an error of the server's own form. */
export class Refused extends Error {
  readonly status: number
  readonly word: string
  readonly field: string

  constructor(status: number, word: string, message: string, field = '') {
    super(message)
    this.status = status
    this.word = word
    this.field = field
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  422: 'Unprocessable Content',
}

/** The answer to a request that ended with an error, in the style of an API. */
export function failure(
  style: Design['error'],
  { status, word, message, field }: Refused,
  { url }: { readonly url: URL },
): Outcome {
  const title = TITLES[status] ?? 'Error'
  const bodies: Record<Design['error'], unknown> = {
    detail: { detail: message },
    message: {
      message: title,
      documentation_url: 'https://docs.example.com/rest',
      ...(field !== '' && { errors: [{ field, code: word }] }),
    },
    nested: {
      error: { type: 'invalid_request_error', code: word, message, ...(field !== '' && { param: field }) },
    },
    list: { errors: [{ status: String(status), code: word, title, detail: message }] },
    messages: {
      errorMessages: field === '' ? [message] : [],
      errors: field === '' ? {} : { [field]: message },
    },
    problem: { type: 'about:blank', title, status, detail: message, instance: url.pathname },
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: word,
      code: status,
    },
    numbered: {
      code: 20_000 + status,
      message,
      more_info: `https://www.example.com/errors/${20_000 + status}`,
      status,
    },
    text: `${title}: ${message}\n`,
  }
  const types: Partial<Record<Design['error'], string>> = {
    text: 'text/plain',
    problem: 'application/problem+json',
  }
  return { status, body: bodies[style], ...(types[style] !== undefined && { type: types[style] }) }
}
