import { createChecker, type Checker } from '../../engine/schema/checker.ts'
import { isObject, modelName } from '../../engine/schema/schema.ts'
import type { Endpoint } from './endpoint.ts'

/** One answer, read. */
export interface Received {
  readonly input: Readonly<Record<string, unknown>>
  readonly response: Response
  readonly text: string
}

/** What is wrong with an answer. */
export interface Verdict {
  readonly what: string
  readonly cause?: unknown
}

/** Says what is wrong with an answer of an endpoint: its status, its body, or what the invariants say. */
export type Judge = (received: Received) => Promise<Verdict | undefined>

/** The judge of an endpoint's answers. */
export function createJudge({ route, expects, tolerated, invariants }: Endpoint): Judge {
  const { output } = route.options
  const checker = output === undefined ? undefined : createChecker(output)

  return async ({ input, response, text }) => {
    const { status } = response
    const body = readBody(text)
    if (!expects(status)) {
      if (tolerated.includes(status) && !isGatewayFailure(status, body)) return undefined
      return { what: `the status ${status} is not one of a success` }
    }
    const isSuccess = status >= 200 && status < 300
    if (checker !== undefined && output !== undefined && isSuccess && status !== 204) {
      const problem = text === '' ? 'it has no body' : findProblem(checker, body)
      if (problem !== undefined) return { what: `the answer does not fit ${modelName(output)}: ${problem}` }
    }
    for (const [name, holds] of Object.entries(invariants)) {
      try {
        if ((await holds({ input, response: response.clone(), body })) === false)
          return { what: `'${name}' does not hold` }
      } catch (cause) {
        return {
          what: `'${name}' does not hold: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause,
        }
      }
    }
    return undefined
  }
}

/** A body as JSON where it is that, else its text; `undefined` for an empty one. */
export function readBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function findProblem(checker: Checker, body: unknown): string | undefined {
  const problems = checker
    .check(body)
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`)
  return problems.length === 0 ? undefined : problems.slice(0, 5).join('; ')
}

// A simulated failure may have the status of a real one; the gateway's own errors have a code.
function isGatewayFailure(status: number, body: unknown): boolean {
  return status >= 500 && isObject(body) && typeof body['error'] === 'string'
}
