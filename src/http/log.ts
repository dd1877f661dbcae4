/** Where the gateway says what went wrong. */
export interface Log {
  warn(message: object | string, text?: string): void
  error(message: object | string, text?: string): void
}

/** Says nothing. */
export const SILENT: Log = { warn: () => undefined, error: () => undefined }
