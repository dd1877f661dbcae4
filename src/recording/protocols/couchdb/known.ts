import type { Body } from './databases.ts'
import type { RefusalForm } from './refusal.ts'

/** What a recording shows of a server, apart from what it stores. */
export interface Learned {
  readonly root: string
  /** What the root answers. */
  readonly welcome?: unknown
  /** What the path of a database answers. */
  readonly info?: Body
  /** Databases whose names begin as those of operations do. */
  readonly databases: readonly string[]
  /** By reason, or by method and reason. */
  readonly refusals: Readonly<Record<string, RefusalForm>>
  /** An id that the server made. */
  readonly exampleId: string
  /** Whether documents begin with their ids rather than end with them. */
  readonly isIdFirst: boolean
  /** What follows the number of a change, where changes are texts. */
  readonly seqEnd?: string
  /** Whether changes say how many there are besides. */
  readonly hasPending: boolean
  /** Whether lists repeat how many documents they leave out as the text that it was sent as. */
  readonly hasTextOffset: boolean
  /** Whether views say no more than their rows. */
  readonly hasBareViews: boolean
  /** By kinds of requests. */
  readonly headers: Readonly<Record<string, AnswerHeaders>>
  /** Operations on lists that only ever failed. */
  readonly failing: readonly string[]
  /** Whether documents are deleted also where requests do not say a revision. */
  readonly deletesUnnamed: boolean
  /** What answers to selectors have besides documents. */
  readonly found: Body
}

/** Headers of answers to requests of one kind. */
export interface AnswerHeaders {
  /** What comes before the path of what was written. */
  readonly location?: string
  readonly type?: string
}

/** The kind of a request: its method, and of what it is. */
export function requestKind(method: string, segments: readonly string[]): string {
  const [, second = ''] = segments
  return `${method} ${second.startsWith('_') ? second : segments.length}`
}

/** The number of a change as the server says it. */
export function seqIn({ seqEnd }: Learned, seq: number): number | string {
  return seqEnd === undefined ? seq : `${seq}${seqEnd}`
}
