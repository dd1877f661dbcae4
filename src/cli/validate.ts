import { AppInvalid } from '../errors.ts'
import type { Problem } from '../loaders/problem.ts'
import type { Validation } from '../loaders/validate-app.ts'
import { validateTarget } from '../loaders/validate-target.ts'
import { jsonText } from '../loaders/write-file.ts'
import { oneOf, type Option } from '../pipeline/option.ts'
import { toggle, type Command, type Given } from './command.ts'
import { readFlags } from './flags.ts'
import { annotationsOf, sarifOf } from './problem-formats.ts'
import { targetArgument, type TargetArgument } from './serve-flags.ts'
import { counted } from './text.ts'

type Format = 'text' | 'json' | 'sarif' | 'github'

interface ValidateFlags {
  readonly format: Format | undefined
  readonly json: boolean | undefined
}

const FLAGS: Readonly<Record<keyof ValidateFlags, Option>> = {
  format: {
    ...oneOf(['text', 'json', 'sarif', 'github']),
    flag: {
      name: 'format',
      describe: 'How it is printed: for people, as JSON, as SARIF, or as annotations of GitHub',
      otherwise: 'text',
    },
  },
  json: toggle('json', 'Print what was found as JSON, as --format json does'),
}

/** `sim validate <target>` */
export const validate: Command = {
  command: 'validate <target>',
  describe: 'Check routes, links, fixtures and config without serving',
  positionals: targetArgument(),
  flags: [FLAGS],
  examples: [
    ['$0 validate app.ts', 'Check the only app of app.ts'],
    ['$0 validate app.ts:api --json', 'Check one of several, for another program to read'],
    ['$0 validate app.ts --format github', 'Annotate the lines of a pull request'],
  ],
  async run({ target, ...given }: Given & TargetArgument) {
    const flags = readFlags<ValidateFlags>(given, FLAGS)
    const format = flags.format ?? (flags.json === true ? 'json' : 'text')
    const found = await validateTarget(target)
    const { problems, routes, links } = found
    const total = `${counted(problems.length, 'problem')}${routes > 0 ? ` in ${counted(routes, 'route')}` : ''}`
    if (format === 'text') printText(found, total)
    else {
      process.stdout.write(FORMATS[format](found))
      if (problems.length > 0) throw new AppInvalid(total)
    }
    if (format === 'text')
      process.stdout.write(`OK: ${counted(routes, 'route')}, ${counted(links, 'link')}\n`)
  },
}

const FORMATS: Readonly<Record<Exclude<Format, 'text'>, (found: Validation) => string>> = {
  json: ({ problems, warnings, notes, routes, links }) =>
    jsonText({ ok: problems.length === 0, routes, links, problems, warnings, notes }),
  sarif: (found) => jsonText(sarifOf(found)),
  github: annotationsOf,
}

/** @throws AppInvalid where there are problems */
function printText({ problems, warnings, notes }: Validation, total: string): void {
  for (const { message } of warnings) process.stderr.write(`warning: ${message}\n`)
  for (const note of notes) process.stderr.write(`not simulated: ${note}\n`)
  const messageOf = ({ message }: Problem): string => message
  if (problems.length > 0) throw new AppInvalid([...problems.map(messageOf), total].join('\n'))
}
