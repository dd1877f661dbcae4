/** A declared route, as the control plane lists it. */
export interface RouteRow {
  readonly route: string
  readonly method: string
  readonly path: string
  readonly host?: string
  readonly summary?: string
  readonly source: string
  readonly requests: number
}
