import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** The layers from the lowest to the highest; a file may import from its own layer's folders and from lower ones. */
const ORDER: readonly (readonly string[])[] = [
  // The page runs in browsers, and knows the control plane by its API alone.
  ['src/ui'],
  [
    'src/errors.ts',
    'src/grouping.ts',
    'src/statistics.ts',
    'src/media-type.ts',
    'src/memo.ts',
    'src/message.ts',
    'src/own-thread.ts',
  ],
  ['src/engine', 'src/routing', 'src/recording/exchange.ts', 'src/recording/redaction', 'src/data-files'],
  ['src/shape'],
  ['src/state'],
  ['src/http'],
  ['src/pipeline'],
  [
    'plugins',
    'src/collections',
    'src/upstream',
    'src/recording',
    'src/openapi',
    'src/simulation',
    'src/graphql',
    'src/postman',
    'src/resilience',
  ],
  ['src/adapter', 'src/modes', 'src/control'],
  [
    'src/gateway-options.ts',
    'src/open-worlds.ts',
    'src/open-shared-state.ts',
    'src/open-services.ts',
    'src/gateway.ts',
  ],
  ['src/options', 'src/api.ts'],
  ['src/loaders'],
  // The command line of adapters is part of the kit, its entries export it, and it is one with ours.
  [
    'src/cli',
    'src/testing',
    'src/index.ts',
    'src/adapter/command',
    'src/adapter/testing',
    'src/adapter/index.ts',
  ],
]

/** Packages that only these files or folders may import. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  ajv: ['src/engine/schema'],
  'ajv-formats': ['src/engine/schema'],
  '@faker-js/faker': ['src/engine/schema'],
  randexp: ['src/engine/schema'],
  re2js: ['src/engine/linear-pattern.ts'],
  '@eslint-community/regexpp': ['src/engine/linear-pattern.ts', 'src/engine/patterns'],
  seedrandom: ['src/engine/random.ts'],
  'mqtt-packet': ['src/recording/replay'],
  'lru-cache': [
    'src/engine',
    'src/simulation',
    'src/pipeline',
    'src/openapi/serve',
    'src/graphql',
    'src/state',
    'src/http',
    'src/recording',
    'plugins',
  ],
  fastify: [
    'src/adapter',
    'src/control',
    'src/gateway-options.ts',
    'src/gateway.ts',
    'src/http',
    'src/modes',
    'src/recording/replay',
    'src/api.ts',
    'src/loaders',
    'src/cli',
    'src/testing',
    'plugins',
  ],
  preact: ['src/ui'],
  'fast-check': ['src/testing'],
  vitest: ['src/adapter/testing', 'src/testing/sim-test.ts', 'src/testing/sim-property-tests.ts'],
  // Only in the text of the app that `sim init` writes.
  'sim-gateway': ['src/cli/scaffold.ts', 'src/control/explain/repro-files.ts'],
  typebox: ['src/cli/scaffold.ts'],
  'fastify-plugin': ['plugins', 'src/http/middleware.ts'],
  yaml: ['src/data-files', 'src/loaders'],
  'jsonc-parser': ['src/data-files', 'src/recording/audit'],
  'damerau-levenshtein': ['src/data-files'],
  '@readme/openapi-parser': ['src/openapi/import/check-by-rules.ts'],
  'smol-toml': ['src/data-files'],
  negotiator: ['src/routing/negotiator.ts', 'src/recording/match/traits.ts'],
  'fast-xml-parser': ['src/shape/parse-xml.ts'],
  'secure-json-parse': ['src/engine/json-text.ts'],
  '@fastify/busboy': ['src/http/read-multipart.ts', 'src/recording/match/body-value.ts'],
  'content-type': ['src/media-type.ts'],
  cookie: ['src/recording/files/har.ts'],
  fzstd: ['src/http/content-codings.ts'],
  'ipaddr.js': ['src/http'],
  undici: ['src/upstream'],
  '@redis/client': ['src/state/redis/link.ts'],
  '@peculiar/x509': ['src/http/certificates.ts'],
  'reflect-metadata': ['src/http/certificates.ts'],
  'prom-client': ['src/control'],
  ws: ['src/http', 'src/recording', 'src/graphql'],
  graphql: ['src/graphql'],
  '@prometheus-io/lezer-promql': ['src/recording/protocols/prometheus'],
  'graphql-ws': ['src/graphql'],
  jiti: ['src/loaders'],
  chokidar: ['src/loaders/watch'],
  pino: ['src/cli/log.ts', 'src/http/open-log.ts'],
  '@secretlint/core': ['src/recording/audit'],
  '@secretlint/secretlint-rule-preset-recommend': ['src/recording/audit'],
  yargs: ['src/cli', 'src/adapter/command'],
}

/** What the engine must not touch, since it is pure. */
const IMPURE = /^node:(fs|http|https|net|tls|dns|child_process|worker_threads|timers)/

interface Import {
  readonly file: string
  readonly specifier: string
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function importsOf(file: string, source = readFileSync(join(ROOT, file), 'utf8')): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|import\(\s*'([^']+)'\s*\)/g
  return [...source.matchAll(pattern)].map((match) => ({
    file,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
  }))
}

const FOLDERS = ORDER.flat().toSorted((one, other) => other.length - one.length)

function folderOf(path: string): string | undefined {
  return FOLDERS.find((folder) => path === folder || path.startsWith(`${folder}/`))
}

function heightOf(folder: string): number {
  return ORDER.findIndex((folders) => folders.includes(folder))
}

function findBreach({ file, specifier }: Import): string | undefined {
  if (specifier.startsWith('.')) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier))
    const [from, to] = [folderOf(file), folderOf(target)]
    if (from === undefined || to === undefined)
      return `${file} imports ${target}, and one of them is in no layer`
    if ((from === 'src/ui') !== (to === 'src/ui'))
      return `${file} imports ${target}: the page and the rest know nothing of each other`
    return heightOf(from) >= heightOf(to) ? undefined : `${file} imports ${target}: ${from} may not use ${to}`
  }
  if (file.startsWith('src/engine/') && IMPURE.test(specifier)) {
    // Fixture files are the one thing an answer may come from besides its arguments; a thread only bounds a search.
    return ['src/engine/fixtures/', 'src/engine/patterns/match-apart.ts'].some((own) => file.startsWith(own))
      ? undefined
      : `${file} imports ${specifier}: the engine is pure`
  }
  if (specifier.startsWith('node:')) return undefined
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const homes = HOMES[name]
  if (homes === undefined) return `${file} imports ${name}, which has no home in this test`
  const isHome = homes.some((home) => file === home || file.startsWith(`${home}/`))
  return isHome ? undefined : `${file} imports ${name}, whose home is ${homes.join(', ')}`
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    done.add(file)
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...path, file])
      if (cycle !== undefined) return cycle
    }
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = walk(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

const ADAPTERS = readdirSync(join(ROOT, 'adapters'))
/** What adapters may import of the core: what it publishes for them, by name. */
const PUBLISHED = /^sim-gateway\/adapter(\/testing)?$/

/** Packages that only these files or folders of adapters may import. */
const ADAPTER_HOMES: Readonly<Record<string, readonly string[]>> = {
  'polyclip-ts': ['adapters/ontology/src/filter/geometry.ts'],
  re2js: ['adapters/ontology/src/filter/patterns.ts'],
  'temporal-polyfill': ['adapters/ontology/src/filter/relative-date.ts'],
  tinyqueue: ['adapters/ontology/src/operations/pages.ts', 'adapters/workspace/src/agenda.ts'],
}

// Adapters could live in repositories of their own.
function findAdapterBreach({ file, specifier }: Import): string | undefined {
  const [, adapter = ''] = /^adapters\/([^/]+)\//.exec(file) ?? []
  if (specifier.startsWith('.')) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier))
    return target.startsWith(`adapters/${adapter}/`)
      ? undefined
      : `${file} imports ${target}, which is not its own`
  }
  if (specifier.startsWith('sim-') && !PUBLISHED.test(specifier))
    return `${file} imports ${specifier}: an adapter may use sim-gateway/adapter alone`
  if (specifier.startsWith('node:') || PUBLISHED.test(specifier)) return undefined
  if (specifier === 'vitest' && file === `adapters/${adapter}/src/testing.ts`) return undefined
  const homes = ADAPTER_HOMES[specifier]
  if (homes?.some((home) => file === home || file.startsWith(`${home}/`)) === true) return undefined
  return `${file} imports ${specifier}, ${homes === undefined ? 'which has no home in this test' : `whose home is ${homes.join(', ')}`}`
}

const files = [...sourceFiles('src'), ...sourceFiles('plugins')]
const adapterFiles = ADAPTERS.flatMap((adapter) => sourceFiles(`adapters/${adapter}/src`))
const imports = files.flatMap((file) => importsOf(file))

describe('the architecture', () => {
  it('was read at all', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(imports.length).toBeGreaterThan(files.length)
  })

  it('keeps every import within its layer and every package in its home', () => {
    expect(imports.map(findBreach).filter((breach) => breach !== undefined)).toEqual([])
  })

  it('keeps adapters apart from each other and from all of the core that is not published', () => {
    expect(adapterFiles.length).toBeGreaterThan(10)
    const breaches = adapterFiles.flatMap((file) => importsOf(file).map(findAdapterBreach))
    expect(breaches.filter((breach) => breach !== undefined)).toEqual([])
  })

  it.for([
    `import { x } from '../../../src/engine/engine.ts'`,
    `import { x } from '../../workspace/src/index.ts'`,
    `import { x } from 'sim-workspace'`,
    `import { x } from 'sim-gateway'`,
    `import { x } from 'fastify'`,
    `import { x } from 're2js'`,
  ])('finds a breach planted in an adapter: %s', (source) => {
    const file = 'adapters/ontology/src/x.ts'
    expect(importsOf(file, source).map(findAdapterBreach)).toEqual([expect.stringContaining(file)])
  })

  it('has no circle of imports, types included', () => {
    const graph = new Map(
      [...files, ...adapterFiles].map((file) => [
        file,
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => relative(ROOT, resolve(ROOT, dirname(file), specifier))),
      ]),
    )
    expect(findCycle(graph)).toBeUndefined()
  })

  it.for([
    ['src/engine/engine.ts', `import { x } from '../gateway.ts'`],
    ['src/engine/engine.ts', `import type { X } from '../api.ts'`],
    ['src/engine/random.ts', `import { readFileSync } from 'node:fs'`],
    ['src/gateway.ts', `export { SimAPI } from './api.ts'`],
    ['src/gateway.ts', `const ajv = await import('ajv')`],
    ['plugins/auth.ts', `import {\n  createGateway,\n} from '../src/gateway.ts'`],
    ['src/loaders/target.ts', `import '../cli/run.ts'`],
  ])('finds a breach planted in %s: %s', ([file = '', source = '']) => {
    expect(importsOf(file, source).map(findBreach)).toEqual([expect.stringContaining(file)])
  })

  it('finds a planted circle', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ])
    expect(findCycle(graph)).toEqual(['b', 'c', 'b'])
  })
})
