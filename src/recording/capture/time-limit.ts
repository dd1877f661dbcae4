import { createContext, Script, type Context } from 'node:vm'

// Of all that Node has, only a script's timeout ends a regular expression that is at work.
const SCRIPT = new Script('run()')
// Made once, since that takes a millisecond.
let context: (Context & { run?: () => void }) | undefined

/** What `run` returns, or `undefined` when it took longer than `ms`; then it was broken off. It must not be async. */
export function withinTime<Result>(ms: number, run: () => Result): Result | undefined {
  let result: Result | undefined
  context ??= createContext({})
  context.run = () => void (result = run())
  try {
    SCRIPT.runInContext(context, { timeout: ms })
    return result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  } finally {
    delete context.run
  }
}
