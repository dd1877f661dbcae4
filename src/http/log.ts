/** Where the gateway says what went wrong. */
export interface Log {
  warn(message: object | string, text?: string): void
  error(message: object | string, text?: string): void
}

/** What the log says of what comes to no route: a tunnel to a server, or what is refused before it is a request. */
export interface AsideLine {
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly status: number
  readonly ms?: number
  /** How many bytes came back. */
  readonly bytes?: number
  readonly by: 'gateway' | 'upstream'
  /** The code of the error. */
  readonly error?: string | undefined
  /** What the parser of requests says. */
  readonly reason?: string
}

/** Gets such a line. */
export type NoteAside = (line: AsideLine) => void

/**
 * Writes a line of plain fields.
 * @param usual those of many lines: the same object again is known, and must not have changed
 */
export type WriteLine = (usual: object, own: object, message: string) => void

/** Says nothing. */
export const SILENT: Log = { warn: () => undefined, error: () => undefined }
