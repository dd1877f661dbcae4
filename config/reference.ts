import { FAULTS } from '../plugins/faults/index.ts'
import { COMMANDS } from '../src/cli/cli.ts'
import type { Command } from '../src/cli/command.ts'
import { OPERATIONS } from '../src/control/operations.ts'
import { snakeCase } from '../src/data-files/words.ts'
import { APP_OPTIONS } from '../src/options/app-options.ts'
import { findWanted } from '../src/options/check.ts'
import { FILE_OPTIONS } from '../src/options/config-file.ts'
import { ROUTE_OPTIONS } from '../src/options/route-options.ts'
import type { Option, OptionTable } from '../src/pipeline/option.ts'

/** The pages with tables that are made from the sources. */
export const REFERENCE_PAGES = ['options.md', 'cli.md', 'chaos.md', 'control-plane.md']

/** A page of `docs/` with its tables as the sources have them now, each between the comments that name and end it. */
export async function withReference(page: string): Promise<string> {
  const leaves: ReturnType<typeof leavesOf> = []
  // One after the other: of modules that import each other, jiti gives those half made whose loading goes on.
  for (const load of Object.values(COMMANDS)) leaves.push(...leavesOf(await load()))
  const blocks: Readonly<Record<string, () => string>> = {
    'route-options': () =>
      table(['Option', 'Flag', 'Value', 'Meaning'], Object.entries(ROUTE_OPTIONS).map(optionRow)),
    'app-options': () =>
      table(['Option', 'Flag', 'Value', 'Meaning'], Object.entries(APP_OPTIONS).map(optionRow)),
    'config-keys': () =>
      keyTable(Object.fromEntries(Object.entries(FILE_OPTIONS).filter(([name]) => name !== 'gateway'))),
    'gateway-keys': () => keyTable({ gateway: FILE_OPTIONS['gateway'] as Option }),
    commands: () =>
      table(
        ['Command', 'What it does'],
        leaves.map(([line, { describe }]) => [code(line), describe]),
      ),
    flags: () =>
      leaves
        .map(flagSection)
        .filter((text) => text !== '')
        .join('\n'),
    faults: () => table(['Fault', 'What it does'], FAULTS.map(faultRow)),
    operations: () => table(['Request', 'What it does'], OPERATIONS.map(operationRow).concat([DESCRIPTION])),
  }
  return page.replace(
    /^(<!-- generated: (\S+) -->\n)[^]*?(?=^<!-- end -->$)/gm,
    (_block, begin: string, name: string) => `${begin}\n${blocks[name]?.() ?? `unknown block ${name}\n`}\n`,
  )
}

/** A command, or those below it, each with its whole command line. */
function leavesOf(command: Command, above = 'sim'): [line: string, command: Command][] {
  const line = `${above} ${command.command}`
  return command.commands?.flatMap((each) => leavesOf(each, line)) ?? [[line, command]]
}

function flagSection([line, { flags = [] }]: [string, Command]): string {
  const rows = [...new Map(flags.flatMap(flagRows).map((row) => [row[0], row])).values()]
  if (rows.length === 0) return ''
  return `### Flags of \`${line.replace(/ [<[].*/, '')}\`\n\n${table(['Flag', 'Default', 'Value', 'Meaning'], rows)}`
}

function flagRows(options: OptionTable): string[][] {
  return Object.values(options).flatMap((option) => [
    ...('table' in option ? flagRows(option.table) : []),
    ...(option.flag === undefined ? [] : [flagRow(option)]),
  ])
}

function flagRow(option: Option): string[] {
  const { name = '', alias, describe = option.describe, otherwise, required } = option.flag ?? {}
  const names = [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])].map(code).join(', ')
  const byDefault = otherwise ?? JSON.stringify(option.default)?.replaceAll('"', '') ?? ''
  const value = findWanted(undefined, option) === 'true or false' ? '' : valueOf(option)
  return [names, required === true ? 'required' : code(byDefault), value, meaningOf(option, describe)]
}

function optionRow([name, option]: [string, Option]): string[] {
  const flag = option.flag === undefined ? '' : code(`--${option.flag.name}`)
  return [code(name), flag, valueOf(option), meaningOf(option)]
}

function keyTable(options: OptionTable): string {
  return table(['Key', 'Flag', 'Value', 'Meaning'], keyRows(options, ''))
}

function keyRows(options: OptionTable, above: string): string[][] {
  return Object.entries(options).flatMap(([name, option]) => {
    const key = above + snakeCase(name)
    if ('table' in option) return keyRows(option.table, `${key}.`)
    if ('each' in option) return keyRows(option.each, `${key}[].`)
    return [optionRow([key, option])]
  })
}

/** What a value of the option must be, in the words of messages. */
function valueOf(option: Option): string {
  if ('values' in option) return 'texts by name'
  if ('judge' in option) return JUDGED[String(option.schema['type'])] ?? 'keys with values'
  return findWanted(undefined, option) ?? ''
}

function meaningOf({ describe = '', see }: Option, text = describe): string {
  const sentence = text.replace(/\.$/, '')
  return see === undefined ? sentence : `${sentence}, see [${see.replace(/\.md.*/, '')}](${see})`
}

/** Not an operation itself, since it describes them. */
const DESCRIPTION = ['`GET /__sim/openapi.json`', 'All of this as OpenAPI']

function operationRow({ route: { key, options } }: (typeof OPERATIONS)[number]): string[] {
  const { summary = '', description } = options
  return [code(key), description === undefined ? summary : `${summary}. ${description.replace(/\.$/, '')}`]
}

function faultRow({ name, describe, options = {} }: (typeof FAULTS)[number]): string[] {
  const details = Object.entries(options).map(
    ([option, { describe: meaning, default: value }]) =>
      `${code(snakeCase(option))}: ${meaning.toLowerCase()}, ${value} by default`,
  )
  return [code(name), [describe, ...details].join('; ')]
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  // A column that is empty throughout says nothing.
  const columns = heads.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ''))
  const lineOf = (cells: readonly string[]): string =>
    `| ${columns.map((column) => escaped(cells[column] ?? '')).join(' | ')} |\n`
  return `${lineOf(heads)}|${'---|'.repeat(columns.length)}\n${rows.map(lineOf).join('')}`
}

/** Text in which nothing but code and links means anything to Markdown. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part.replaceAll('|', '\\|') : part.replace(/[*<|]/g, '\\$&')))
    .join('')
}

const JUDGED: Readonly<Record<string, string>> = { array: 'a list of texts', string: 'a URL' }
