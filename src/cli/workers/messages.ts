/** What a worker says to the process that started it. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ask-metrics'; readonly id: number }
  | { readonly kind: 'own-metrics'; readonly id: number; readonly metrics: readonly object[] }

/** What it is told. */
export type ToWorker =
  | { readonly kind: 'drain' }
  | { readonly kind: 'tell-metrics'; readonly id: number }
  | { readonly kind: 'all-metrics'; readonly id: number; readonly text: string }
