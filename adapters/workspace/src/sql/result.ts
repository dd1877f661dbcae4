import type { Column } from './columns.ts'

/** A value of a result: text, as all values are, or null. */
export type Cell = string | null

/** A result as a fixture or callback gives it. */
export interface FixtureResult {
  readonly columns: readonly Column[]
  readonly rows?: readonly (readonly unknown[])[]
  /** Default: all rows in one chunk. */
  readonly rowsPerChunk?: number
}

/** Why a statement fails. */
export interface StatementError {
  readonly code?: string
  readonly message: string
  readonly sqlState?: string
}

/** A result as it is kept. */
export interface Result {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowsPerChunk: number
  readonly isTruncated: boolean
}

/** A part of a result. */
export interface Chunk {
  readonly index: number
  readonly offset: number
  readonly rows: readonly (readonly Cell[])[]
}

/** A result within its limits. */
export function createResult(
  { columns, rows = [], rowsPerChunk = Math.max(1, rows.length) }: FixtureResult,
  limits: { readonly rowLimit: number; readonly byteLimit: number },
): Result {
  const kept: (readonly Cell[])[] = []
  let bytes = 0
  for (const row of rows) {
    const cells = row.map(cellOf)
    bytes += bytesOf(cells)
    if (kept.length >= limits.rowLimit || bytes > limits.byteLimit) break
    kept.push(cells)
  }
  return { columns, rows: kept, rowsPerChunk, isTruncated: kept.length < rows.length }
}

/** How many bytes the values of rows have. */
export function bytesOfRows(rows: readonly (readonly Cell[])[]): number {
  return rows.reduce((sum, row) => sum + bytesOf(row), 0)
}

/** How many chunks a result has; none when it has no rows. */
export function chunkCountOf({ rows, rowsPerChunk }: Result): number {
  return Math.ceil(rows.length / rowsPerChunk)
}

/** One chunk of a result, or `undefined` past its end. */
export function chunkOf({ rows, rowsPerChunk }: Result, index: number): Chunk | undefined {
  const offset = index * rowsPerChunk
  if (offset >= rows.length) return undefined
  return { index, offset, rows: rows.slice(offset, offset + rowsPerChunk) }
}

function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      if (value === null || value === undefined) return null
      return value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? null)
  }
}

function bytesOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + (cell === null ? 0 : Buffer.byteLength(cell)), 0)
}
