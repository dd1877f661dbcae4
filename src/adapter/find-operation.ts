import type { AdapterConfig } from './config.ts'
import type { Operation } from './definition.ts'
import { fail } from './failure.ts'
import { createPathTable } from './path-table.ts'

/** An operation, and what its path's parameters are. */
export interface FoundOperation<State, Config extends AdapterConfig> {
  readonly operation: Operation<State, Config>
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds the operation of a method and path. HEAD is answered as GET is. What is not implemented is only known where
 * that is asked for. Raises the failures `unknown-path` and `method-not-allowed`.
 */
export function createFinder<State, Config extends AdapterConfig>(
  operations: readonly Operation<State, Config>[],
  knowsUnimplemented: boolean,
): (method: string, path: string) => FoundOperation<State, Config> {
  const table = createPathTable(operations.filter(({ handle }) => knowsUnimplemented || handle !== undefined))

  return (method, path) => {
    const methodOf = (entries: ReadonlyMap<string, Operation<State, Config>>): string =>
      method === 'HEAD' && !entries.has('HEAD') ? 'GET' : method
    const match = table.match(path, (entries) => entries.has(methodOf(entries)))
    if (match === undefined) return fail({ kind: 'unknown-path' })
    const operation = match.entries.get(methodOf(match.entries))
    if (operation === undefined)
      return fail({ kind: 'method-not-allowed', allowed: [...match.entries.keys()] })
    return { operation, params: match.params }
  }
}
