import { AppInvalid } from '../errors.ts'
import { validateTarget } from '../loaders/validate-target.ts'
import { jsonText } from '../loaders/write-file.ts'
import type { Option } from '../pipeline/option.ts'
import { toggle, type Command, type Given } from './command.ts'
import { targetArgument, type TargetArgument } from './serve-flags.ts'
import { counted } from './text.ts'

const FLAGS: Readonly<Record<'json', Option>> = {
  json: toggle('json', 'Print what was found as JSON'),
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
  ],
  async run({ target, json }: Given & TargetArgument) {
    const { problems, warnings, notes, routes, links } = await validateTarget(target)
    const total = `${counted(problems.length, 'problem')}${routes > 0 ? ` in ${counted(routes, 'route')}` : ''}`
    if (json === true) {
      process.stdout.write(jsonText({ ok: problems.length === 0, routes, links, problems, warnings, notes }))
      if (problems.length > 0) throw new AppInvalid(total)
      return
    }
    for (const { message } of warnings) process.stderr.write(`warning: ${message}\n`)
    for (const note of notes) process.stderr.write(`not simulated: ${note}\n`)
    if (problems.length > 0)
      throw new AppInvalid([...problems.map(({ message }) => message), total].join('\n'))
    process.stdout.write(`OK: ${counted(routes, 'route')}, ${counted(links, 'link')}\n`)
  },
}
