#!/usr/bin/env node
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { SimError, UsageInvalid } from '../sim-error.ts'
import { proxy } from './proxy.ts'
import { run } from './run.ts'

const cli = yargs(hideBin(process.argv))
  .scriptName('sim')
  .usage('$0 <command>')
  .command(run)
  .command(proxy)
  .demandCommand(1, 'Name a command')
  .recommendCommands()
  .strict()
  .fail((message, error) => {
    throw error ?? new UsageInvalid(message)
  })

try {
  await cli.parseAsync()
} catch (error) {
  const usage = error instanceof UsageInvalid || isRefusedArgument(error)
  process.stderr.write(`${messageOf(error)}\n${usage ? 'See sim --help, or sim <command> --help.\n' : ''}`)
  process.exitCode = usage ? 2 : 1
}

// A mistake of the user's is told in one message; only a fault of ours shows where it happened.
function messageOf(error: unknown): string {
  if (error instanceof SimError || isRefusedArgument(error)) return error.message
  return error instanceof Error ? `Internal error, please report it: ${error.stack}` : String(error)
}

// What an option's check throws comes back as an error of yargs's own kind.
function isRefusedArgument(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}
