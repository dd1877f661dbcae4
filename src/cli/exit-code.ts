import { SimError, UsageInvalid } from '../sim-error.ts'

/** Tells on stderr what ended a command; returns its exit code. @param name the command whose help helps */
export function exitCodeOf(error: unknown, name: string): number {
  const usage = error instanceof UsageInvalid || isRefusedArgument(error)
  const hint = usage ? `See ${name} --help, or ${name} <command> --help.\n` : ''
  process.stderr.write(`${messageOf(error)}\n${hint}`)
  return usage ? 2 : 1
}

// A mistake of the user's is told in one message; only a fault of ours shows where it happened.
function messageOf(error: unknown): string {
  if (SimError.is(error) || isRefusedArgument(error)) return error.message
  return error instanceof Error ? `Internal error, please report it: ${error.stack}` : String(error)
}

// What an option's check throws comes back as an error of yargs's own kind.
function isRefusedArgument(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}
