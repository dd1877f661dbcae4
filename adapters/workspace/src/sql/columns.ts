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

/** A column as answered. */
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
