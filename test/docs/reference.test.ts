import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { GATEWAY_OPTIONS } from '../../src/options/gateway-options.ts'
import { loadConfig } from '../../src/options/config-file.ts'
import * as errors from '../../src/errors.ts'
import type { OptionTable } from '../../src/pipeline/option.ts'
import { runSim } from '../flow/sim-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { GUIDES, namesIn, read, ROOT, rowsOf } from './tables.ts'

/** What an error's message lists after a word. */
function listedBy(act: () => unknown, word: string): string[] {
  try {
    act()
  } catch (error) {
    return new RegExp(`${word}: (.*)$`).exec((error as Error).message)?.[1]?.split(', ') ?? []
  }
  return []
}

/** The keys of a table in a config file, as pages name them. */
function keysOf(table: OptionTable, above: string): string[] {
  return Object.entries(table).flatMap(([name, option]) => {
    const key = `${above}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    if ('table' in option) return keysOf(option.table, key)
    return 'each' in option ? keysOf(option.each, `${key}[]`) : [key]
  })
}

describe('the page of errors', () => {
  const documented = rowsOf('docs/troubleshooting.md', 'Code')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(`src/${name}`))
  const classes = sources.flatMap((source) => {
    const defined = source.matchAll(/^export class (\w+) extends defineError\('(\w+)', (\d+)([^]*?)\{\}$/gm)
    const written = source.matchAll(
      /^export class (\w+) extends SimError \{[^]*?code = '(\w+)'[^]*?statusCode = (\d+)/gm,
    )
    return [...defined, ...written].map(([, name, code, status, form = '']) => [
      `\`${name}\``,
      `\`${code}\``,
      form.includes('statusCode') ? 'varies' : status,
    ])
  })

  it('has every error class with its code and status, and none that is gone', () => {
    expect(documented.map((cells) => cells.slice(0, 3)).toSorted()).toEqual(classes.toSorted())
  })

  it('is compared with every class that is exported for users', () => {
    const names = classes.map(([name]) => name)
    const exported = Object.values(errors).filter((each) => each.prototype instanceof errors.SimError)
    expect(exported.length).toBeGreaterThan(30)
    expect(names).toEqual(expect.arrayContaining(exported.map(({ name }) => `\`${name}\``)))
  })

  it('says of each why it comes and what to do', () => {
    expect(documented.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([])
  })
})

describe('the page of options', () => {
  it('has every option of a route and of an app, and none that is gone', () => {
    const unknown = { noSuchOption: 1 } as object
    const ofRoutes = listedBy(() => new SimAPI().get('/', unknown), 'Options')
    const ofApps = listedBy(() => new SimAPI(unknown), 'Options')
    expect(Math.min(ofRoutes.length, ofApps.length)).toBeGreaterThan(8)
    const documented = rowsOf('docs/options.md', 'Option').flatMap(([names = '']) => namesIn(names))
    expect(documented.toSorted()).toEqual([...ofRoutes, ...ofApps].toSorted())
  })
})

describe('the page of commands', () => {
  it('has every key of a config file, and none that is gone', () => {
    using folder = temporaryFolder({
      'sim.yaml': 'no_such_key_at_all: 1\n',
      'store.yaml': 'store: { no_such_key_at_all: 1 }\n',
    })
    const keys = listedBy(() => loadConfig('sim.yaml', folder.path), 'Keys')
    const ofStore = listedBy(() => loadConfig('store.yaml', folder.path), 'Keys')
    const own = keys.filter((key) => key !== 'store' && key !== 'gateway')
    const known = [...own, ...ofStore.map((key) => `store.${key}`), ...keysOf(GATEWAY_OPTIONS, 'gateway')]
    expect(Math.min(keys.length, ofStore.length * 9)).toBeGreaterThan(8)
    const documented = rowsOf('docs/cli.md', 'Key').flatMap(([names = '']) => namesIn(names))
    expect(documented.toSorted()).toEqual(known.toSorted())
  })

  it('has every command and option, and none that is gone', async () => {
    const help = async (command: string): Promise<string> => {
      const { stdout, stderr } = await runSim([...command.split(' '), '--help', 'all'])
      return `${stdout}${stderr}`
    }
    const commandsIn = (text: string): string[] =>
      [...text.matchAll(/^ +sim ([a-z]+(?: [a-z-]+)?)(?= |$)/gm)].map(([, name = '']) => name)
    const top = commandsIn((await help('')).split('Examples:')[0] ?? '')
    const commands = (
      await Promise.all(
        top.map(async (name) => {
          const inner = commandsIn((await help(name)).split('Examples:')[0] ?? '')
          return inner.length > 0 ? inner.filter((each) => each.startsWith(name)) : [name]
        }),
      )
    ).flat()
    expect(commands).toContain('run')

    const texts = await Promise.all(commands.map(help))
    const options = texts.flatMap((text) => [...text.matchAll(/(?<=\s)--([a-z][a-z-]+)/g)])
    const prose = read('docs/cli.md').replace(/^```[^]*?^```/gm, '')
    const documented = namesIn(prose).flatMap((code) => [...code.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)])
    const unique = (matches: RegExpMatchArray[]): string[] =>
      [...new Set(matches.map(([, name = '']) => name))].toSorted()
    expect(unique(documented)).toEqual(unique(options))
    for (const command of commands) expect(prose).toContain(`\`sim ${command}`)
  })
})

describe('the links between pages', () => {
  it('lead to pages and headings that are there', () => {
    const anchorsOf = (file: string): string[] =>
      [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      )
    const links = [...GUIDES, 'README.md'].flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, path = '', anchor]) => ({
        page,
        file: path === '' ? page : join(dirname(page), path),
        anchor,
      })),
    )
    expect(links.length).toBeGreaterThan(20)
    const broken = links.filter(
      ({ file, anchor }) =>
        !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
    )
    expect(broken).toEqual([])
  })

  it('start at an index that has every page', () => {
    const index = read('docs/README.md')
    const pages = GUIDES.filter((page) => page !== 'docs/README.md')
    expect(pages.filter((page) => !index.includes(`](${page.slice('docs/'.length)}):`))).toEqual([])
    expect(pages.length).toBeGreaterThan(8)
  })
})
