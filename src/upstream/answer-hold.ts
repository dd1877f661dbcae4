import type { FlatHeaders } from '../http/headers.ts'

/** Holds a response back until it is known whether the client may have it. */
export interface AnswerHold {
  /** Takes the head. Returns whether the body is to be held as well. @throws Error where the client may not have it */
  head(status: number, headers: FlatHeaders): boolean
  /** Takes a piece of the body; `false` where no more is to be held. */
  chunk(chunk: Buffer): boolean
  /** The body has ended. @throws Error where the client may not have it */
  end(): Promise<void>
}
