/** A page as it came, or the refusal of one. */
export interface Page {
  readonly data?: readonly Readonly<Record<string, unknown>>[]
  readonly nextPageToken?: string
}

/** What an error's envelope must have. */
export const refusal = (errorName: string, parameters: object = {}): object => ({ errorName, parameters })
