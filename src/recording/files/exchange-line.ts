import { join } from 'node:path'
import type { Exchange, Redacted } from './exchange.ts'

/** The file of a recording that holds its exchanges, one a line. */
export function exchangesPath(directory: string): string {
  return join(directory, 'exchanges.ndjson')
}

/** The exchange of a line; `undefined` when it holds none. */
export function parseExchange(text: string): Redacted<Exchange> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isExchange(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isExchange(value: unknown): value is Redacted<Exchange> {
  const { request, response } = (value ?? {}) as Partial<Exchange>
  return typeof request?.url === 'string' && typeof response?.status === 'number'
}
