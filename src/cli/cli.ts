import yargs from 'yargs'
import { runCommand, version } from './command-line.ts'
import { toModule, type Command } from './command.ts'
import { UsageInvalid } from '../errors.ts'

/** The commands that go on after they have begun. */
const SERVING = new Set(['run', 'proxy'])

/** What loads each command, in the order that help lists them in. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  proxy: async () => (await import('./proxy.ts')).proxy,
  validate: async () => (await import('./validate.ts')).validate,
  init: async () => (await import('./init.ts')).init,
  export: async () => (await import('./export.ts')).exportCommand,
  repro: async () => (await import('./repro.ts')).repro,
  chaos: async () => (await import('./chaos.ts')).chaos,
  ca: async () => (await import('./ca.ts')).ca,
  recordings: async () => (await import('./recording/recordings.ts')).recordings,
  state: async () => (await import('./state.ts')).state,
  fixtures: async () => (await import('./fixtures.ts')).fixtures,
}

// A command that is named at once need not wait for the code of all others.
async function commandsFor([first = '']: readonly string[]): Promise<readonly Command[]> {
  if (VERSION.test(first)) return []
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  const loaders = named === undefined ? Object.values(COMMANDS) : [named]
  return Promise.all(loaders.map((load) => load()))
}

const COMPLETION = 'Print a script that completes commands and options in your shell'

const HELP = /^(-h|--help)$/
const VERSION = /^(-v|--version)$/

/** Runs one command. Resolves with its exit code, or with nothing when it has begun to serve. */
export async function sim(given: readonly string[]): Promise<number | undefined> {
  const all = given.findIndex((arg, index) => arg === 'all' && HELP.test(given[index - 1] ?? ''))
  const args = given.filter((_, index) => index !== all)
  // Whoever completes a word may want any of them.
  const showsAll = all >= 0 || args.includes('--get-yargs-completions')
  const commands = await commandsFor(args)
  const cli = yargs([...args])
  // What comes after -- belongs to another command there, and is an argument like any other elsewhere.
  if (commands.length === 1 && commands[0]?.takesCommand === true)
    cli.parserConfiguration({ 'populate--': args.includes('--') }).check(() => {
      if (args.at(-1) !== '--') return true
      throw new UsageInvalid('Name the command to run after --, such as -- npm test')
    })
  cli
    .scriptName('sim')
    .usage('$0 <command>\n\nAnswer declared routes, forward the rest, inject faults, record what passes.')
    .command(commands.map((command) => toModule(command, showsAll)))
    .example('$0 init', 'Write a first app.ts')
    .example('$0 run app.ts', 'Serve it on port 8000')
    .example('$0 proxy --upstream http://127.0.0.1:3000 --routes app.ts', 'Serve it in front of a server')
    .epilogue(
      'sim <command> --help lists the options and examples of a command, sim <command> --help all all of them.',
    )
  // The library prints the script even where only help is wanted.
  if (args.some((arg) => HELP.test(arg))) cli.command('completion', COMPLETION)
  else cli.completion('completion', COMPLETION)

  return runCommand({ cli, name: 'sim', version: version(), goesOn: (command) => SERVING.has(command) })
}
