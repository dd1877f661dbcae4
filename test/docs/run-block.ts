import { basename } from 'node:path'
import { parse as parseGraphql } from 'graphql'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { findDifference } from './expected-output.ts'
import { problem, type Block } from './markdown.ts'
import type { PageApps } from './page-apps.ts'
import type { RunningServer } from './running-server.ts'
import { read } from './tables.ts'
import { updateOutput } from './update-output.ts'
import type { Workspace } from './workspace.ts'

/** What the blocks of one page leave behind for the blocks after them. */
export interface Page {
  readonly file: string
  readonly workspace: Workspace
  readonly apps: PageApps
  /** Starts the server that a page's readers have at a port, if the page takes one for granted. */
  readonly assumed: (port: number) => Promise<void>
  /** What the block before printed. */
  printed: (isAwaited: (shown: string) => boolean) => Promise<string>
}

/** What was done with a block. */
export type Done = 'ran' | 'compared' | 'updated' | 'written' | 'shown' | 'run apart'

type Run = (block: Block, page: Page) => Promise<Done>

/** The ways to run a block, by its language. */
const LANGUAGES: Readonly<Record<string, Run>> = {
  ts: runScript,
  sh: runShell,
  json: (block, page) => writeData(block, page, JSON.parse),
  yaml: (block, page) => writeData(block, page, parseYaml),
  toml: (block, page) => writeData(block, page, parseToml),
  graphql: (block, page) => writeData(block, page, parseGraphql),
  // The files that a picture names are looked up by reference.test.ts, like those in prose.
  mermaid: async () => 'shown',
  text: async (block) => {
    if (block.notes.has('picture')) return 'shown'
    throw problemOf(block, 'a text must be an output or a picture: put <!-- output --> before it')
  },
}

/** Commands of a clean checkout: they install, and cannot run inside of the tests that they start. */
const INSTALL_COMMANDS = new Set([
  'npm ci && npm start',
  'npm cit',
  'npm ci --prefix bench && npm run fidelity --prefix bench',
])

/** Runs a block, whatever it is. @throws Error when it fails, or when nobody knows how to run it */
export async function runBlock(block: Block, page: Page): Promise<Done> {
  if (block.notes.has('quote')) return compareQuote(block, page)
  const run = LANGUAGES[block.language]
  if (run === undefined)
    throw problemOf(block, `nobody knows how to run a block of '${block.language || 'no language'}'`)
  if (/\blocalhost\b|\bport: *[1-9]/.test(block.text))
    throw problemOf(block, 'servers listen on 127.0.0.1, at a port that can be replaced')
  if (block.notes.has('output')) return compareOutput(block, page)
  page.printed = () => Promise.reject(problemOf(block, 'nothing was printed here'))
  return run(block, page)
}

function problemOf(block: Block, message: string): Error {
  return problem(block.page, block.line - 1, message)
}

// A file of ours, or some lines of it; what is whole is there for the commands that follow.
async function compareQuote({ text, ...block }: Block, page: Page): Promise<Done> {
  const file = block.notes.get('quote') ?? ''
  const whole = read(file)
  if (!`\n${whole}`.includes(`\n${text}\n`)) throw problemOf({ ...block, text }, `${file} says otherwise`)
  if (whole === `${text}\n`) await write({ ...block, text }, page, basename(file))
  return 'compared'
}

// With UPDATE_DOCS set, a page is given what was printed instead of being refused.
async function compareOutput(block: Block, page: Page): Promise<Done> {
  const differs = (shown: string): string | undefined => findDifference(block.language, block.text, shown)
  const shown = await page.printed((each) => differs(each) === undefined)
  const difference = differs(shown)
  if (difference === undefined) return 'compared'
  if (process.env['UPDATE_DOCS'] !== undefined && updateOutput(page.file, block, shown)) return 'updated'
  throw problemOf(block, difference)
}

async function writeData(block: Block, page: Page, parse: (text: string) => unknown): Promise<Done> {
  const file = block.notes.get('file') ?? /^# (\S+\.\w+)\n/.exec(block.text)?.[1]
  if (file === undefined)
    throw problemOf(block, 'data must be a file, or an output: name the file, or say <!-- output -->')
  parse(block.text)
  await write(block, page, file)
  return 'written'
}

// Each version of an app is checked, not only the last one.
async function write(block: Block, { workspace, apps }: Page, file: string): Promise<void> {
  const invalid = await apps.findInvalid(file)
  if (invalid !== '') throw problemOf(block, `sim validate does not accept what was before it:\n${invalid}`)
  const text = workspace.toReal(block.text)
  await workspace.write(file, text)
  apps.wrote(file, text)
}

async function runScript(block: Block, page: Page): Promise<Done> {
  const { workspace } = page
  const file = /^(?:#!.*\n)?\/\/ (\S+\.ts)\n/.exec(block.text)?.[1] ?? `line-${block.line}.ts`
  // Each version of a file is checked, not only the last one.
  const errors = workspace.exists(file) ? await findTypeErrors(page) : ''
  if (errors !== '') throw problemOf(block, `The scripts before it do not fit their types:\n${errors}`)
  await write(block, page, file)
  await runCommands(block, page, file.endsWith('.test.ts') ? `vitest run ${file}` : `jiti ${file}`)
  return 'ran'
}

/** What the compiler says of all scripts a page has written; empty when they fit their types. */
export async function findTypeErrors({ workspace }: Page): Promise<string> {
  return (await workspace.runByShell('compgen -G "*.ts" > /dev/null || exit 0; tsc')).shown
}

async function runShell(block: Block, page: Page): Promise<Done> {
  if (INSTALL_COMMANDS.has(block.text)) return 'run apart'
  // `npx` finds the command of the package that it is called in; here it is on the path.
  const commands = block.text
    .replaceAll('\\\n', ' ')
    .replaceAll(/^npx sim /gm, 'sim ')
    .split('\n')
  const fails = block.notes.has('exit')
  let waiting: string[] = []
  for (const command of commands) {
    const port = fails ? undefined : servedPort(command)
    if (port === undefined) waiting.push(command)
    else {
      await runCommands(block, page, waiting.join('\n'))
      waiting = []
      await serve(block, page, command, port)
    }
  }
  await runCommands(block, page, waiting.join('\n'))
  return 'ran'
}

async function runCommands(block: Block, page: Page, script: string): Promise<void> {
  if (script.trim() === '') return
  await startAssumed(script, page)
  const { code, shown } = await page.workspace.run(script)
  const wanted = Number(block.notes.get('exit') ?? 0)
  if (code !== wanted)
    throw problemOf(block, `It ended with ${code} instead of ${wanted}, and printed:\n${shown}`)
  page.printed = async () => shown
}

async function serve(block: Block, page: Page, command: string, port: number): Promise<void> {
  const anyPort = command
    .replace(/ --port[ =]\d+/, '')
    .replace(
      SERVES,
      (served, variables: string) => `${variables}exec ${served.slice(variables.length)} --port 0`,
    )
  await startAssumed(anyPort, page)
  const server: RunningServer = await page.workspace.serve(anyPort, port).catch((error: unknown) => {
    throw problemOf(block, (error as Error).message)
  })
  page.printed = (isAwaited) => server.shows(isAwaited)
}

/** A command that serves until it is ended, with the variables it is given. */
const SERVES = /^((?:\w+=\S* )*)(?:sim (run|proxy)|jiti \S+ serve)\b(?!.*(?:--help| -- ))/

/** The port of the page at which a command serves; `undefined` for one that does not serve. */
function servedPort(command: string): number | undefined {
  const [served, , name] = SERVES.exec(command) ?? []
  if (served === undefined) return undefined
  const [, port] = /--port[ =](\d+)/.exec(command) ?? []
  return port === undefined ? (name === 'proxy' ? 8080 : 8000) : Number(port)
}

async function startAssumed(script: string, { assumed, workspace }: Page): Promise<void> {
  for (const [, port] of workspace.toReal(script).matchAll(/\b127\.0\.0\.1:(\d{1,4})\b/g))
    await assumed(Number(port))
}
