/** A request of the journal, as the control plane gives it. */
export interface Entry {
  readonly id: number
  readonly time: string
  readonly arrived_ms: number
  readonly method: string
  readonly url: string
  readonly route?: string
  readonly status?: number
  readonly duration_ms: number
  readonly chaos?: readonly string[]
  readonly violations?: readonly { readonly side: string; readonly message: string }[]
  /** It has not ended. */
  readonly isOpen?: boolean
}

/** Which requests are shown, by the names of the control plane's parameters. */
export interface Filters {
  readonly method: string
  readonly path: string
  readonly status: string
  readonly mode: string
  readonly filter: string
  readonly session: string
}

/** Everything is shown. */
export const NO_FILTERS: Filters = { method: '', path: '', status: '', mode: '', filter: '', session: '' }
