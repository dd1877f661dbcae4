import type { Format } from './request.ts'
import { type Cell, type Chunk, chunkCountOf, chunkOf, describeColumn, type Result } from './result.ts'
import type { Statement } from './statement.ts'

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

/** Makes the link to a chunk that is not part of the answer, and says until when it is good. */
export type LinkTo = (chunkIndex: number) => { readonly url: string; readonly expiration: string }

/** A statement as answered: its result only once it has succeeded. */
export function describeStatement(statement: Statement, linkTo: LinkTo): object {
  const { id, state, outcome } = statement
  if (state === 'FAILED' && outcome?.kind === 'error') {
    const { code = 'BAD_REQUEST', message, sqlState } = outcome.error
    const sql = sqlState === undefined ? {} : { sql_state: sqlState }
    return { statement_id: id, status: { state, error: { error_code: code, message }, ...sql } }
  }
  if (state !== 'SUCCEEDED' || outcome?.kind !== 'result') return { statement_id: id, status: { state } }
  const first = chunkOf(outcome.result, 0)
  return {
    statement_id: id,
    status: { state },
    manifest: describeManifest(statement, outcome.result),
    result: first === undefined ? {} : describeChunk(statement, outcome.result, first, linkTo),
  }
}

/** A chunk as answered: its rows, or where they are. */
export function describeChunk(statement: Statement, result: Result, chunk: Chunk, linkTo: LinkTo): object {
  const place = positionOf(chunk)
  const next = nextOf(statement, result, chunk)
  if (statement.disposition === 'INLINE') return { ...place, data_array: chunk.rows, ...next }
  const { url, expiration } = linkTo(chunk.index)
  const byteCount = encodeChunk(result, chunk, statement.format).length
  return {
    external_links: [{ ...place, byte_count: byteCount, external_link: url, expiration, ...next }],
  }
}

function describeManifest(statement: Statement, result: Result): object {
  const count = chunkCountOf(result)
  const isExternal = statement.disposition === 'EXTERNAL_LINKS'
  const chunks = Array.from({ length: count }, (_, index) => chunkOf(result, index) as Chunk)
  const sizes = isExternal ? chunks.map((chunk) => encodeChunk(result, chunk, statement.format).length) : []
  return {
    format: statement.format,
    schema: { column_count: result.columns.length, columns: result.columns.map(describeColumn) },
    total_chunk_count: count,
    ...(count > 0 && {
      chunks: chunks.map((chunk, index) => ({
        ...positionOf(chunk),
        ...(isExternal && { byte_count: sizes[index] }),
      })),
    }),
    total_row_count: result.rows.length,
    ...(isExternal && { total_byte_count: sizes.reduce((sum, size) => sum + size, 0) }),
    truncated: result.isTruncated,
  }
}

function positionOf({ index, offset, rows }: Chunk): object {
  return { chunk_index: index, row_offset: offset, row_count: rows.length }
}

function nextOf({ id }: Statement, result: Result, { index }: Chunk): object {
  const next = chunkOf(result, index + 1)
  if (next === undefined) return {}
  const link = `/api/2.0/sql/statements/${id}/result/chunks/${next.index}?row_offset=${next.offset}`
  return { next_chunk_index: next.index, next_chunk_internal_link: link }
}
