import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  measureServer,
  median,
  type Measures,
  type Question,
  type ServerCommand,
} from './harness/measure-server.ts'

const CORPUS = resolve(import.meta.dirname, '../test/corpus')
const FILE = resolve(
  process.argv[2] ?? join(CORPUS, 'node_modules/@octokit/openapi/generated/api.github.com.json'),
)
const ROUNDS = 3
const MAX_REQUESTS = 50

const SERVERS: readonly ServerCommand[] = [
  {
    name: 'sim run',
    args: [resolve(import.meta.dirname, '../dist/src/cli/main.js'), 'run', FILE, '--port', '0'],
  },
  {
    name: 'prism mock',
    args: [join(CORPUS, 'node_modules/@stoplight/prism-cli/dist/index.js'), 'mock', '--port', '0', FILE],
  },
]

// Operations that need no body, spread over the description; a word or a number stands in every path parameter.
function questionsOf(file: string): Question[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const readable = Object.entries(paths).filter(([, item]) => item['get'] !== undefined)
  const step = Math.max(1, Math.floor(readable.length / MAX_REQUESTS))
  return readable
    .filter((_, index) => index % step === 0)
    .slice(0, MAX_REQUESTS)
    .map(([path]) => ({
      method: 'GET',
      path: path.replaceAll(/\{(\w*)\}/g, (_, name: string) => wordFor(name)),
    }))
}

function wordFor(name: string): string {
  return /id$|number|^index/i.test(name) ? '7' : 'word'
}

interface Row {
  readonly name: string
  of(this: void, measures: Measures): number
}

const ROWS: readonly Row[] = [
  { name: 'start to listening (ms)', of: ({ start }) => start },
  { name: 'memory once it listens (MiB)', of: ({ idleMemory }) => idleMemory },
  { name: 'memory after the requests (MiB)', of: ({ usedMemory }) => usedMemory },
  { name: 'first request of an operation, median (ms)', of: ({ firstAnswers }) => median(firstAnswers) },
  {
    name: 'first request of an operation, slowest (ms)',
    of: ({ firstAnswers }) => Math.max(...firstAnswers),
  },
]

const questions = questionsOf(FILE)
const runs = new Map<string, Measures[]>(SERVERS.map(({ name }) => [name, []]))
// The servers take turns, so that what else the machine does meets both alike.
for (let round = 0; round < ROUNDS; round++) {
  for (const server of SERVERS) runs.get(server.name)?.push(await measureServer(server, questions))
}

const lines = ROWS.map(({ name, of }) => {
  const medians = SERVERS.map((server) => median((runs.get(server.name) ?? []).map(of)))
  const [ours = Number.NaN, theirs = Number.NaN] = medians
  return `| ${[name, ...medians.map((value) => value.toFixed(1)), (ours / theirs).toFixed(2)].join(' | ')} |`
})
process.stdout.write(
  [
    `${questions.length} operations of ${FILE.slice(FILE.lastIndexOf('/') + 1)}, medians of ${ROUNDS} runs`,
    '',
    `| | ${SERVERS.map(({ name }) => name).join(' | ')} | ratio |`,
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n'),
)
