import type { Caller } from '../../engine/route-options.ts'
import type { Headers } from '../../message.ts'
import type { Redactor } from '../redaction/redactor.ts'

/**
 * Whether a request is of one of some callers, by its headers.
 * @param redactor makes the pseudonyms that they may be named by
 */
export function createForbidden(
  callers: readonly Caller[],
  redactor: Redactor,
): (request: { readonly headers: Headers }) => boolean {
  const names = new Set(callers.map(({ header }) => header.toLowerCase()))
  const wanted = new Set(callers.map(({ header, equals }) => `${header.toLowerCase()}: ${equals}`))
  return ({ headers }) =>
    [...names].some((name) => {
      const value = [headers[name] ?? ''].flat().join(', ')
      return (
        wanted.has(`${name}: ${value}`) || wanted.has(`${name}: ${redactor.header({ name, value }).value}`)
      )
    })
}
