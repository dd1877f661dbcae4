import type { Exchange } from './exchange.ts'

/** Looks at whole exchanges while somebody wants to see them. */
export interface Watch {
  /** Whether anybody does now. */
  readonly isOn: boolean
  /** Takes an exchange that has just begun. */
  begin(exchange: Exchange): void
}
