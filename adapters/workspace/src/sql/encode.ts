import type { Format } from './request.ts'
import type { Cell, Chunk, Result } from './result.ts'

/** The bytes behind the link to a chunk. */
export function encodeChunk({ columns }: Result, { index, rows }: Chunk, format: Format): Buffer {
  if (format === 'JSON_ARRAY') return Buffer.from(JSON.stringify(rows))
  const header = index === 0 ? [columns.map(({ name }) => name)] : []
  return Buffer.from([...header, ...rows].map((row) => `${row.map(csvOf).join(',')}\r\n`).join(''))
}

// RFC 4180, section 2.
function csvOf(cell: Cell): string {
  if (cell === null) return 'null'
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
