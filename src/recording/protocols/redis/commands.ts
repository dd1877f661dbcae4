import type { Args } from './command.ts'
import { isCommand } from './command-names.ts'
import { HASHES } from './hashes.ts'
import { KEYS } from './keys.ts'
import { LISTS } from './lists.ts'
import { Refusal, type Reply } from './reply.ts'
import { SETS } from './sets.ts'
import { SORTED_SETS } from './sorted-sets.ts'
import type { Store } from './store.ts'
import { STRINGS } from './strings.ts'

const COMMANDS = new Map(
  Object.entries({ ...STRINGS, ...KEYS, ...HASHES, ...LISTS, ...SETS, ...SORTED_SETS }),
)

/** What a command of Redis gives, by what the keys are now; it changes them. `undefined` for those that are not known. */
export function runCommand(name: string, args: readonly string[], store: Store): Reply | undefined {
  const lower = name.toLowerCase()
  const [arity = 0, run] = COMMANDS.get(lower) ?? []
  if (run === undefined) return isCommand(lower) ? undefined : { error: unknownText(name, args) }
  const count = args.length + 1
  if (arity < 0 ? count < -arity : count !== arity)
    return { error: `ERR wrong number of arguments for '${lower}' command` }
  try {
    return run(args as unknown as Args, store)
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message }
    throw error
  }
}

const MAX_SHOWN = 128

function unknownText(name: string, args: readonly string[]): string {
  let shown = ''
  for (const arg of args) {
    if (shown.length >= MAX_SHOWN) break
    shown += `'${arg.slice(0, MAX_SHOWN - shown.length)}' `
  }
  return `ERR unknown command '${name.slice(0, MAX_SHOWN)}', with args beginning with: ${shown}`
}
