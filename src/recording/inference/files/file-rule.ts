import type { FileOptions } from '../../../engine/file-option.ts'
import type { Condition } from '../../../routing/condition.ts'
import type { Sample } from '../sample.ts'

/** A route that may stand for requests to stored files, before anything is known of its answers. */
export interface FileRule {
  readonly method: string
  readonly path: string
  readonly when?: readonly Condition[]
  readonly name?: string
  readonly options: FileOptions
  /** Whether what was never stored may be answered like what was, such as the tags of a file without any. */
  readonly hasDefault?: boolean
}

/** A way in which clients store files. */
export interface FileProtocol {
  /** Whether it is spoken; judged by all exchanges with one server. */
  isSpoken(samples: readonly Sample[]): boolean
  /** Whether a request is for something that the rules do not speak of. */
  isOther(sample: Sample): boolean
  rules(samples: readonly Sample[]): readonly FileRule[]
}

/** Paths of what is needed, by the template that gives them. */
export type There = ReadonlyMap<string, ReadonlySet<string>>

/** The options of a route, with what it needs that must have been there before. */
export function withThere(options: FileOptions, there: There): FileOptions {
  const paths = there.get(options.needs ?? '')
  return paths === undefined ? options : { ...options, exists: [...paths] }
}
