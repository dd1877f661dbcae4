/** An answer that was saved beside a request, with the request that it was the answer to. */
export interface SavedAnswer {
  readonly name: string
  readonly id: string | undefined
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Variables such as `{{$guid}}` in it have a value for each request. */
  readonly body: string
  readonly request: {
    /** Parameters of the path; absent where they are not known. */
    readonly params: Readonly<Record<string, string>>
    readonly query: readonly (readonly [name: string, value: string])[]
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** A JSON value, a text or the fields of a form; absent for none. */
    readonly body?: unknown
  }
}

/** The answers that are saved for a route. */
export interface SavedAnswers {
  readonly answers: readonly SavedAnswer[]
  /** Whether requests get them that do not name one. */
  readonly isUsual: boolean
}
