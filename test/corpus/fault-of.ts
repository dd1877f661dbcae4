import type { Wanted } from './judge.ts'
import { createImpossible, type Impossible } from './impossible.ts'
import { answerOf } from '../world/collections.ts'
import type { Json } from './json.ts'
import type { Operation } from './operations.ts'
import type { Request } from './request.ts'
import { createSchemas } from './schemas.ts'
import { createValidate, FAULTS, NOTHING_FITS } from './validator.ts'

/** The fault of a description that leaves no right answer to a request; undefined where none is proven. */
export type FaultOf = (operation: Operation, wanted: Wanted, request: Request) => string | undefined

/** Proves the faults of one document: answers that nothing fits, and requests that nothing fits. */
export function createFaultOf(document: Json): FaultOf {
  const ofAnswers = proverOf(document, 'response')
  const ofRequests = proverOf(document, 'request')
  const validate = createValidate(createSchemas(document, 'request'))
  const ofRequest = ({ body }: Operation, request: Request): string | undefined => {
    const [, schema] = [...(body?.content ?? [])].find(([type]) => /[/+]json/.test(type)) ?? []
    if (schema === undefined || typeof request.body !== 'string') return undefined
    const problem = validate(schema, JSON.parse(request.body))
    const fault = problem && FAULTS.find((each) => problem.endsWith(each))
    return fault ?? reason(ofRequests(schema))
  }
  return (operation, { rule }, request) => {
    const answers = [...(operation.responses.get(rule) ?? new Map<string, unknown>()).values()]
    const reasons = answers.map((schema) => (schema === undefined ? undefined : reason(ofAnswers(schema))))
    return reasons.find((each) => each !== undefined) ?? ofRequest(operation, request)
  }
}

/** Whether an operation can be answered as it is described, as far as the contrary cannot be shown. */
export function createIsPossible(document: Json): (operation: Operation) => boolean {
  const impossible = proverOf(document, 'response')
  return (operation) => {
    const schema = answerOf(operation)
    return schema === undefined || impossible(schema) === undefined
  }
}

function proverOf(document: Json, use: 'request' | 'response'): Impossible {
  const schemas = createSchemas(document, use)
  const validate = createValidate(createSchemas(document, use))
  return createImpossible(schemas, (schema, value) => validate(schema, value) === undefined)
}

function reason(why: string | undefined): string | undefined {
  return why && `${why}: ${NOTHING_FITS}`
}
