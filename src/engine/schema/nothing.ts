import { ModelNotGenerable } from '../../errors.ts'
import type { Generate } from './generate.ts'
import { placeName, type Position } from './position.ts'

/** Reports, when a value is asked for, that there can be none. */
export function nothing(at: Position): Generate {
  return () => {
    throw new ModelNotGenerable(`${placeName(at)}: its schema allows no value at all`)
  }
}
