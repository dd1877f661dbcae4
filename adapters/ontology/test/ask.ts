import type { OntologyMock } from '../src/mock.ts'

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number
  // What comes back is what the test says it is.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Headers
}

/** Asks in process, below `/api/v2/ontologies`: by POST where there is a body. */
export const ask = async (
  { fetch }: Pick<OntologyMock, 'fetch'>,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const answer = await fetch(`/api/v2/ontologies${path}`, {
    headers,
    ...(body !== undefined && {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}
