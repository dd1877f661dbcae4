import type { CommandModule } from 'yargs'
import { AppInvalid } from '../errors.ts'
import { validateTarget } from '../loaders/validate-target.ts'
import { jsonText } from '../loaders/write-file.ts'
import { type TargetOption, withTarget } from './serve-flags.ts'
import { counted } from './text.ts'

interface ValidateOptions extends TargetOption {
  json: boolean
}

/** `sim validate <target>` */
export const validate: CommandModule<object, ValidateOptions> = {
  command: 'validate <target>',
  describe: 'Check routes, links, fixtures and config without serving',
  builder: (yargs) =>
    withTarget(yargs)
      .option('json', { type: 'boolean', default: false, describe: 'Print what was found as JSON' })
      .example('$0 validate app.ts', 'Check the only app of app.ts')
      .example('$0 validate app.ts:api --json', 'Check one of several, for another program to read'),
  async handler({ target, json }) {
    const { problems, warnings, notes, routes, links } = await validateTarget(target)
    const total = `${counted(problems.length, 'problem')}${routes > 0 ? ` in ${counted(routes, 'route')}` : ''}`
    if (json) {
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
