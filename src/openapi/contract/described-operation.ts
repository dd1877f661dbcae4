import type { Operation } from '../../engine/operation.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { createAnswerChecker, type CheckAnswer } from './check-answer.ts'
import { createRequestChecker, type RequestChecker } from './check-request.ts'
import { createCounts, type OperationCounts } from './coverage-counts.ts'

/** An operation whose exchanges are looked at. */
export interface DescribedOperation {
  readonly key: string
  readonly description: Operation
  readonly request: RequestChecker
  readonly answer: CheckAnswer
  /** What of it was seen. */
  readonly counts: OperationCounts
}

/** The operations of routes. Each is compiled when it is first needed. */
export function createOperations(): (route: RouteDefinition) => DescribedOperation {
  return remembered(({ key, path, operation }: RouteDefinition): DescribedOperation => {
    const description = operation as Operation
    const request = lazy(() => createRequestChecker(path, description))
    const answer = lazy(() => createAnswerChecker(description))
    const counts = lazy(() => createCounts(description))
    return {
      key,
      description,
      get request() {
        return request()
      },
      get answer() {
        return answer()
      },
      get counts() {
        return counts()
      },
    }
  })
}
