/** A column of a result, with its SQL type, e.g. `DECIMAL(10,2)`. */
export interface Column {
  readonly name: string
  readonly type: string
}

const NAMES: Readonly<Record<string, string>> = {
  BIGINT: 'LONG',
  BOOL: 'BOOLEAN',
  INTEGER: 'INT',
  NUMERIC: 'DECIMAL',
  DEC: 'DECIMAL',
  REAL: 'FLOAT',
  SMALLINT: 'SHORT',
  TEXT: 'STRING',
  TIMESTAMP_NTZ: 'TIMESTAMP',
  TINYINT: 'BYTE',
  VARCHAR: 'STRING',
  VOID: 'NULL',
}

const KNOWN = new Set([
  ...['ARRAY', 'BINARY', 'BOOLEAN', 'BYTE', 'CHAR', 'DATE', 'DECIMAL', 'DOUBLE', 'FLOAT', 'INT', 'INTERVAL'],
  ...['LONG', 'MAP', 'NULL', 'SHORT', 'STRING', 'STRUCT', 'TIMESTAMP', 'USER_DEFINED_TYPE'],
])

export function describeColumn({ name, type }: Column, position: number): object {
  const text = type.trim()
  const base = /^\w+/.exec(text)?.[0].toUpperCase() ?? ''
  const typeName = NAMES[base] ?? (KNOWN.has(base) ? base : 'USER_DEFINED_TYPE')
  const decimal =
    typeName === 'DECIMAL' ? (/\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(text) ?? ['', '10', '0']) : undefined
  const interval = /^interval\s+(.+)$/i.exec(text)?.[1]
  return {
    name,
    position,
    type_name: typeName,
    type_text: text,
    ...(decimal && { type_precision: Number(decimal[1]), type_scale: Number(decimal[2] ?? 0) }),
    ...(interval !== undefined && { type_interval_type: interval.toUpperCase() }),
  }
}

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

export interface Result {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowsPerChunk: number
  readonly isTruncated: boolean
}

export interface Chunk {
  readonly index: number
  readonly offset: number
  readonly rows: readonly (readonly Cell[])[]
}

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

/** A statement as callbacks see it. */
export interface StatementCall {
  readonly statement: string
  readonly parameters: Readonly<Record<string, string | null>>
  readonly warehouseId: string
  readonly catalog: string | undefined
  readonly schema: string | undefined
}

/** What a callback answers: rows, or why the statement fails. */
export type StatementAnswer = FixtureResult | { readonly error: StatementError }

/** Answers the statements of matchers that name it. */
export type StatementCallback = (call: StatementCall) => StatementAnswer | Promise<StatementAnswer>
