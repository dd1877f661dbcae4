import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** The folders from the lowest to the highest, and what is in each. */
const FOLDERS: Readonly<Record<string, string>> = {
  'src/errors.ts': 'every error class, with its code and status',
  'src/message.ts': 'requests, answers and headers',
  'src/media-type.ts': 'media types, read and compared',
  'src/grouping.ts': 'grouping and counting by a key',
  'src/statistics.ts': 'sums, extremes and spreads of numbers',
  'src/memo.ts': 'what was computed for recent texts, bounded',
  'src/own-thread.ts': 'threads that run a file of this package',
  'src/routing': 'one router: hosts, paths, methods',
  'src/data-files': 'YAML, JSON and TOML with lines, limits and duplicate keys',
  'src/engine': 'pure: same route, seed and request, same bytes; models, links, fixtures',
  'src/shape': 'shapes of values: observed, merged, written as JSON Schema, compared',
  'src/state': 'all that a request can change: sessions, stores, counters, limits, clock, journal',
  'src/http': 'HTTP as a server sees it: entries, heads, bodies, TLS; knows no routes',
  'src/pipeline': 'the way of a request: exchange, route, plan, errors',
  plugins: 'the policies of a plan, one a file: tokens, limits, latency, errors, faults',
  'src/collections': 'create, read, change, delete and list stored items',
  'src/upstream': 'reaching real servers: pools, targets, headers, streaming back',
  'src/recording': 'recordings: capture, redaction, files, match and replay, formats, inference, drift',
  'src/resilience':
    'how clients take what fails: calls and retries found in a journal, and the report of them',
  'src/graphql': 'GraphQL schemas: their objects, queries, mutations and subscriptions',
  'src/postman': 'Postman collections to descriptions, and the answers saved in them',
  'src/openapi': 'descriptions: import, serve, export, and the page at `/docs`',
  'src/simulation': 'what answers a declared route: generated, stored or described',
  'src/modes': 'which route a request gets, by mode and rule',
  'src/control': 'the control plane, one operation a file',
  'src/ui':
    'the page at `/__sim/`, built for browsers; asks the control plane, and imports nothing of the rest',
  'src/adapter': 'the kit that vendors’ APIs are simulated with',
  'src/gateway-options.ts': 'what a gateway is made of',
  'src/open-shared-state.ts': 'joins the gateways that share a state',
  'src/open-worlds.ts': 'has gateways share the state of adapters',
  'src/open-services.ts': 'opens what handles requests: parts, sessions, routes, control plane',
  'src/gateway.ts': '`createGateway`: wires the parts, top to bottom',
  'src/options': 'the options: checks, flags, JSON Schema and reference from one table',
  'src/api.ts': '`SimAPI`: what apps declare their routes with',
  'src/loaders': 'modules, descriptions and data files to apps; watching them',
  'src/cli': 'the commands, one a file',
  'src/testing': 'helpers for tests of users',
  'src/index.ts': 'the public names',
}

/** From each folder to those that its files import from. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

function folderOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'src' ? `${first}/${second}` : first
}

/** The imports between folders, read from the sources, types included. @throws Error for a folder without words */
function readGraph(): Graph {
  const graph = new Map(Object.keys(FOLDERS).map((name) => [name, new Set<string>()]))
  const files = ['src', 'plugins'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const found = readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
    const targets = [...found].map(([, path = '']) =>
      folderOf(relative(ROOT, resolve(ROOT, dirname(file), path))),
    )
    const own = graph.get(folderOf(file))
    if (own === undefined)
      throw new Error(`config/architecture.ts does not say what ${folderOf(file)} is for`)
    for (const target of targets) if (target !== folderOf(file) && graph.has(target)) own.add(target)
  }
  return new Map([...graph].filter(([name]) => files.some((file) => folderOf(file) === name)))
}

/** Whether a folder can be reached from another one without the direct import. */
function isReachedOtherwise(graph: Graph, from: string, to: string): boolean {
  const seen = new Set<string>([from])
  const waiting = [...(graph.get(from) ?? [])].filter((name) => name !== to)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const next = graph.get(name) ?? new Set<string>()
    if (next.has(to)) return true
    waiting.push(...next)
  }
  return false
}

const HEIGHTS = Object.keys(FOLDERS)
const isDownwards = (from: string, to: string): boolean => HEIGHTS.indexOf(from) > HEIGHTS.indexOf(to)
const idOf = (name: string): string => name.replace(/^src\//, '').replace(/\W/g, '_')

/** The page with the picture and the table of folders as the sources have them now, below its heading *Folders*. */
export function withFolders(page: string): string {
  return page.replace(/^## Folders\n[^]*?(?=^## )/m, () => `## Folders\n\n${folderPicture()}\n`)
}

function folderPicture(): string {
  const graph = readGraph()
  const down: Graph = new Map(
    [...graph].map(([from, to]) => [from, new Set([...to].filter((name) => isDownwards(from, name)))]),
  )
  const names = HEIGHTS.filter((name) => graph.has(name)).toReversed()
  const edges = names.flatMap((from) =>
    HEIGHTS.filter((to) => down.get(from)?.has(to) === true && !isReachedOtherwise(down, from, to)).map(
      (to) => `  ${idOf(from)} --> ${idOf(to)}`,
    ),
  )
  const lines = [
    '```mermaid',
    'flowchart TD',
    ...names.map((name) => `  ${idOf(name)}["${name}"]`),
    ...edges,
    '```',
    '',
    '| Folder | What is in it |',
    '|---|---|',
    ...names.map((name) => `| \`${name}\` | ${FOLDERS[name]} |`),
    '',
  ]
  return lines.join('\n')
}
