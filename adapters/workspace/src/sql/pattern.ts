import { createContext, Script } from 'node:vm'

const sandbox = createContext(Object.create(null) as object, {
  codeGeneration: { strings: false, wasm: false },
})
const test = new Script('pattern.test(text)')

/** The expression of a fixture's pattern: it fits whole statements, whatever their case. */
export function compilePattern(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'is')
}

/** Whether an expression fits a text; `undefined` when that cannot be told within `timeoutMs`, as with runaway backtracking. */
export function fitsWithin(expression: RegExp, text: string, timeoutMs: number): boolean | undefined {
  Object.assign(sandbox, { pattern: expression, text })
  try {
    return test.runInContext(sandbox, { timeout: timeoutMs }) as boolean
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    Object.assign(sandbox, { pattern: undefined, text: undefined })
  }
}
