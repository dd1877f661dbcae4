import { ModelInvalid } from '../../errors.ts'

/** An error as it is, or, where schemas nest deeper than can be gone through, by the name of that. */
export function asTooDeep(error: Error): Error {
  if (!(error instanceof RangeError) || !error.message.includes('call stack')) return error
  const message = 'its schemas nest too deep: make the chain of $ref, or what lies within each other, shorter'
  return new ModelInvalid(message, { cause: error })
}
