import { OptionInvalid } from '../errors.ts'
import { createRouter } from '../routing/router.ts'
import type { AdapterConfig } from './config.ts'
import type { Operation } from './definition.ts'
import { fail } from './failure.ts'

/** An operation, and what its path's parameters are. */
export interface FoundOperation<State, Config extends AdapterConfig> {
  readonly operation: Operation<State, Config>
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds the operation of a method and path. HEAD is answered as GET is. What is not implemented is only known where
 * that is requested. Raises the failures `unknown-path` and `method-not-allowed`.
 * @throws OptionInvalid when two operations answer the same, or a path cannot be
 */
export function createFinder<State, Config extends AdapterConfig>(
  operations: readonly Operation<State, Config>[],
  knowsUnimplemented: boolean,
): (method: string, path: string) => FoundOperation<State, Config> {
  const known = operations.filter(({ handle }) => knowsUnimplemented || handle !== undefined)
  checkPaths(known)
  const router = createRouter(known, { strict: true })
  const methods = new Set<string>(known.map(({ method }) => method))

  return (method, path) => {
    const match = router.match({ method, path })
    if (match !== undefined) return { operation: match.route, params: match.params }
    const allowed = router.allowed({ path }).filter((each) => methods.has(each))
    return fail(allowed.length === 0 ? { kind: 'unknown-path' } : { kind: 'method-not-allowed', allowed })
  }
}

const SEGMENT = /^(?:[^{}]*|\{[A-Za-z_]\w*\*?\})$/

function checkPaths(
  operations: readonly Pick<Operation<unknown>, 'id' | 'method' | 'path' | 'aliases'>[],
): void {
  const owners = new Map<string, string>()
  for (const { id, method, path: main, aliases = [] } of operations) {
    for (const path of [main, ...aliases]) {
      const problem = problemOf(path)
      if (problem !== undefined) throw new OptionInvalid(`${id}: ${problem}`)
      const shape = `${method} ${path.replaceAll(/\{\w+(\*?)\}/g, '{$1}')}`
      const owner = owners.get(shape)
      if (owner !== undefined) throw new OptionInvalid(`${id} and ${owner} both answer ${method} ${path}`)
      owners.set(shape, id)
    }
  }
}

function problemOf(path: string): string | undefined {
  if (!path.startsWith('/')) return `the path '${path}' must start with '/'`
  const segments = path.slice(1).split('/')
  const odd = segments.find((segment) => !SEGMENT.test(segment))
  if (odd !== undefined) return `'${odd}' in '${path}' is neither a fixed segment nor '{name}'`
  const rest = segments.slice(0, -1).find((segment) => segment.endsWith('*}'))
  return rest && `'${rest}' must be the last segment of '${path}'`
}
