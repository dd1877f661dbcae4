import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBlocks } from '../docs/markdown.ts'

/** A `sim` command of a page. */
export interface Command {
  /** Where it stands and how it is given, such as `docs/options.md: sim run app.ts`. */
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Something that a page does, in the order of the page. */
export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | (Command & { readonly kind: 'run' })
  | (Command & {
      readonly kind: 'serve'
      /** The port of the page that it listens on. */
      readonly port: string
      /** Of its files and how it is started: the same app where it is the same. */
      readonly digest: string
    })

/** A page with the apps it serves. */
export interface Page {
  readonly name: string
  readonly steps: readonly Step[]
}

/** What no requests can be compared of: help, pipes, processes that share a port, and what is wrong on purpose. */
const UNSERVED = /--help|--workers|api\.example\.com|nowhere\.ts|[|>&;]|\$\(/
/** Left out of a command: it listens where the comparison says, and answers the same without these. */
const LEFT_OUT = /\s--(?:watch|host[ =]\S+|port[ =]\d+)(?=\s|$)/g

/** The pages of a checkout that serve apps, and its examples as a page of their own. */
export function readPages(root: string): Page[] {
  const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const names = ['README.md', ...guides.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
  const pages = names.toSorted().map((name) => readPage(name, readFileSync(join(root, name), 'utf8')))
  return [examples(root), ...pages]
    .map(withoutRepeats)
    .filter(({ steps }) => steps.some(({ kind }) => kind === 'serve'))
}

// What is served a second time with the same files answers the same, unless a recording came in between.
function withoutRepeats({ name, steps }: Page): Page {
  const files = new Map<string, string>()
  const seen = new Set<string>()
  const kept = steps.flatMap((step): Step[] => {
    if (step.kind === 'write') files.set(step.file, step.text)
    if (step.kind !== 'serve') return [step]
    const digest = digestOf([step.args, step.env, [...files]])
    const repeats = seen.has(digest) && !step.args.some((arg) => arg.includes('record'))
    seen.add(digest)
    return repeats ? [] : [{ ...step, digest }]
  })
  return { name, steps: kept }
}

/** A short digest of any data. */
export function digestOf(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 10)
}

function examples(root: string): Page {
  const file = readFileSync(join(root, 'examples/shop.ts'), 'utf8')
  const serve = (command: string): Step => readCommand('examples', command) as Step
  return {
    name: 'examples',
    steps: [
      { kind: 'write', file: 'shop.ts', text: file },
      serve('sim run shop.ts'),
      serve('sim run shop.ts --stateful --seed 7'),
      serve('sim proxy --upstream http://127.0.0.1:3000 --routes shop.ts --record recordings/example'),
      serve('sim proxy --mode replay --recording recordings/example'),
      serve('sim proxy --upstream http://127.0.0.1:3000 --error-rate 0.3 --seed 7'),
    ],
  }
}

function readPage(name: string, source: string): Page {
  const steps: Step[] = []
  for (const { language, text, notes } of readBlocks(name, source)) {
    if (notes.has('output') || notes.has('exit')) continue
    if (language === 'sh')
      for (const command of text.replaceAll('\\\n', ' ').split('\n')) {
        const step = readCommand(name, command)
        if (step !== undefined) steps.push(step)
      }
    const file = notes.get('file') ?? /^(?:#!.*\n)?(?:\/\/|#) (\S+\.\w+)\n/.exec(text)?.[1]
    if (file !== undefined) steps.push({ kind: 'write', file, text })
    const own = language === 'ts' ? unexported(text) : undefined
    if (own !== undefined && file !== undefined) {
      const served = file.replace('.ts', '-served.ts')
      steps.push({ kind: 'write', file: served, text: own }, readCommand(name, `sim run ${served}`) as Step)
    }
  }
  return { name, steps }
}

/** A script that keeps its app to itself, made a module that exports it and does nothing with it. */
function unexported(text: string): string | undefined {
  if (!/^const api = /m.test(text)) return undefined
  const [, app = 'api'] = /^const (app|parent) = (?:createGateway|Fastify)\(/m.exec(text) ?? []
  const module = text.replace(`const ${app} = `, `export const ${app} = `)
  const start = module.indexOf('export const')
  const used = module.slice(start).search(/\n(?:\n|for |try |attempt|console)/)
  return `${module.slice(0, start + used)}\n`
}

function readCommand(page: string, line: string): Step | undefined {
  const command = line.replace(/\s+#.*$/, '').trim()
  const [, variables = '', rest] = /^((?:\w+=\S* )*)sim (.*)$/.exec(command) ?? []
  if (rest === undefined || UNSERVED.test(rest)) return undefined
  const words = rest.replace(LEFT_OUT, '').match(/'[^']*'|\S+/g) ?? []
  const args = words.map((word) => word.replace(/^'(.*)'$/, '$1'))
  const env = Object.fromEntries(
    variables
      .split(' ')
      .filter(Boolean)
      .map((each) => each.split('=', 2)),
  ) as Record<string, string>
  const name = `${page}: ${command.replace(/\s+/g, ' ')}`
  const [kind] = words
  if ((kind !== 'run' && kind !== 'proxy') || args.includes('--')) return { kind: 'run', name, args, env }
  const [, port = kind === 'run' ? '8000' : '8080'] = /--port[ =](\d+)/.exec(rest) ?? []
  return { kind: 'serve', name, args, env, port, digest: '' }
}
