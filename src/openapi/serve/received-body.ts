/** A file that was sent: what is known of it once its bytes have passed. */
export interface ReceivedFile {
  /** Absent where the sender names none. */
  readonly filename?: string
  readonly contentType: string
  readonly size: number
  /** Of the bytes, in hex. */
  readonly sha256: string
}

/** One part of a multipart body: a text, or a file. */
export interface ReceivedPart {
  readonly name: string
  readonly contentType: string
  readonly content: string | ReceivedFile
}

/** A body as it came off the wire, decoded to texts but not yet read by its model. */
export type ReceivedContent = string | readonly ReceivedPart[] | ReceivedFile
