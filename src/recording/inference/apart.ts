import { isObject } from '../../engine/schema/schema.ts'
import { contentKindOf } from '../../media-type.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { answerIn } from './answer-place.ts'
import { idIn } from './item-place.ts'
import type { OperationSamples } from './operations.ts'
import { type Resource, wholeWriteOf } from './resources.ts'
import { successesOf } from './statuses.ts'

/**
 * Whether an operation of a collection's path is about none of its items, such as a search that is sent to where items
 * are made: what it answers has no id, where the answers of another operation have one; or what puts the content of a
 * file to the path of an item, which stays as it is.
 * @param operations all of the same method and path
 */
export function isApart(
  operation: OperationSamples,
  operations: readonly OperationSamples[],
  at: { readonly host: string | undefined; readonly path: string; readonly method: string },
  resource: Resource | undefined,
): boolean {
  if (at.path === resource?.path && areContents(operation, at.method)) return true
  const isOwn = at.method === 'POST' && operation.when !== undefined && at.path === resource?.collection
  if (!isOwn || wholeWriteOf(resource, { ...at, samples: operation.samples }) !== undefined) return false
  const named = ({ samples }: OperationSamples): readonly boolean[] =>
    successesOf(samples).map(
      (sample) =>
        idIn(memberAt(sample.response, answerIn(sample, resource.place)), resource.place) !== undefined,
    )
  const own = named(operation)
  return own.length > 0 && !own.includes(true) && operations.some((each) => named(each).includes(true))
}

function areContents({ samples }: OperationSamples, method: string): boolean {
  const fine = successesOf(samples)
  return (
    method === 'PUT' &&
    fine.length > 0 &&
    fine.every(({ body, headers, response, isEmpty = false }) => {
      const { 'content-type': type } = headers
      const isData = type === undefined || /^(json|form|multipart)$/.test(contentKindOf(type))
      return !isObject(body) && !isData && (isEmpty || !isObject(response))
    })
  )
}
