import type { Row } from '../harness/figures.ts'

/** Measurements that belong together. */
export interface Suite {
  readonly name: string
  readonly describe: string
  measure(): Promise<readonly Row[]>
}
