import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConfig, loadConfig } from '../../src/options/config-file.ts'
import { ConfigInvalid } from '../../src/errors.ts'
import { temporaryFolder } from '../temporary-folder.ts'

function problemsOf(path: string | undefined, directory: string): readonly string[] {
  try {
    loadConfig(path, directory)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigInvalid)
    return (error as ConfigInvalid).problems.map((problem) => problem.replace(`${directory}/`, ''))
  }
  throw new Error('the config was accepted')
}

const EVERYTHING = {
  seed: 42,
  stateful: true,
  validateResponses: true,
  validateLinks: false,
  verboseErrors: true,
  listCount: 3,
  store: { maxItems: 10 },
  cors: ['https://a.example'],
  title: 'Shop',
  version: '2.0',
  servers: ['https://shop.example'],
}
const KEYS = `seed: 42
stateful: true
validate_responses: true
validate_links: false
verbose_errors: true
list_count: 3
store: { max_items: 10 }
cors: [https://a.example]
title: Shop
version: '2.0'
servers:
  - https://shop.example
`
const TOML_KEYS = `seed = 42
stateful = true
validate_responses = true
validate_links = false
verbose_errors = true
list_count = 3
store.max_items = 10
cors = ["https://a.example"]
title = "Shop"
version = "2.0"
servers = ["https://shop.example"]
`
const JSON_KEYS = {
  seed: 42,
  stateful: true,
  validate_responses: true,
  validate_links: false,
  verbose_errors: true,
  list_count: 3,
  store: { max_items: 10 },
  cors: ['https://a.example'],
  title: 'Shop',
  version: '2.0',
  servers: ['https://shop.example'],
}

describe('a config file', () => {
  it.for([
    ['sim.yaml', KEYS],
    ['sim.yml', KEYS],
    ['other.yaml', `\uFEFF${KEYS}`],
    ['settings.json', JSON.stringify(JSON_KEYS)],
    ['package.json', JSON.stringify({ name: 'shop', sim: JSON_KEYS }, null, '\t')],
    ['pyproject.toml', `[project]\nname = "shop"\n\n[tool.sim]\n${TOML_KEYS}`],
    ['settings.toml', TOML_KEYS],
    ['table.toml', `[tool.sim]\n${TOML_KEYS}`],
  ] as const)('gives every option from %s', ([name, text]) => {
    using folder = temporaryFolder({ [name]: text })
    expect(loadConfig(name, folder.path)).toEqual(EVERYTHING)
    expect(loadConfig(join(folder.path, name), '/')).toEqual(EVERYTHING)
  })

  it.for(['', '# nothing yet\n', '{}\n', '---\n'])('of YAML may be empty: %j', (text) => {
    using folder = temporaryFolder({ 'sim.yaml': text })
    expect(loadConfig(undefined, folder.path)).toEqual({})
  })

  it('reports every problem, in the order of the lines', () => {
    using folder = temporaryFolder({
      'sim.yaml': `stateful: "yes"
sede: 42
# a comment
store:
  maxItems: 3
  max_items: many
seed: 1.5
listCount: 2
seed: 7
completely_else: 1
config_path: x.yaml
`,
    })
    expect(problemsOf(undefined, folder.path)).toEqual([
      'sim.yaml:1: stateful must be true or false, not "yes"',
      "sim.yaml:2: unknown key 'sede'. Did you mean 'seed'?",
      "sim.yaml:5: unknown key 'store.maxItems'. Did you mean 'max_items'?",
      'sim.yaml:6: store.max_items must be a whole number, 0 or more, not "many"',
      "sim.yaml:8: unknown key 'listCount'. Did you mean 'list_count'?",
      "sim.yaml:9: the key 'seed' comes twice",
      expect.stringMatching(/^sim\.yaml:10: unknown key 'completely_else'\. Keys: seed, stateful, /),
      expect.stringMatching(/^sim\.yaml:11: unknown key 'config_path'/),
    ])
  })

  it.for([
    ['seed: .nan', 'seed must be a whole number, not NaN'],
    ['stateful: false_', 'stateful must be true or false, not "false_"'],
    ['title: 3', 'title must be a text, not 3'],
    ['title:', 'title must be a text, not null'],
    ['servers: https://a', 'servers must be a list of texts, not "https://a"'],
    ['cors: [1]', 'cors must be true, false or a list of origins, not [1]'],
    ['store: 3', 'store must be an object such as { max_items: 1000 }, not 3'],
    ['store: []', 'store must be an object such as { max_items: 1000 }, not []'],
    ['list_count: -1', 'list_count must be a whole number, 0 or more, not -1'],
    ['- seed', 'the options must be keys with values, not ["seed"]'],
    ['__proto__: { seed: 1 }', "unknown key '__proto__'. Keys: "],
    ['constructor: 1', "unknown key 'constructor'. Keys: "],
  ] as const)('refuses %s', ([text, message]) => {
    using folder = temporaryFolder({ 'sim.yaml': text })
    expect(problemsOf(undefined, folder.path)).toEqual([expect.stringContaining(`sim.yaml:1: ${message}`)])
  })

  it('names key and line in package.json and pyproject.toml', () => {
    using folder = temporaryFolder({
      'package.json': JSON.stringify({ name: 'x', sim: { seed: '1', store: { max: 2 } } }, null, 2),
      'pyproject.toml': '[tool.other]\nseed = "x"\n\n[tool.sim]\nseed = "1"\n[tool.sim.store]\nmax = 2\n',
    })
    expect(problemsOf('package.json', folder.path)).toEqual([
      'package.json:4: seed must be a whole number, not "1"',
      "package.json:6: unknown key 'store.max'. Keys: max_items",
    ])
    expect(problemsOf('pyproject.toml', folder.path)).toEqual([
      'pyproject.toml:5: seed must be a whole number, not "1"',
      "pyproject.toml:7: unknown key 'store.max'. Keys: max_items",
    ])
  })

  it.for([
    ['sim.yaml', 'seed: [1\nstateful: true\n', /^sim\.yaml:2: not valid YAML: /],
    ['x.json', '{\n  "seed": 1,\n}', /^x\.json:3: not valid JSON: /],
    ['x.toml', 'seed = 1\nseed = 2\n', /^x\.toml:2: not valid TOML: /],
    ['x.ini', 'seed=1', /^x\.ini: a config file is a \.yaml, \.yml, \.json or \.toml file/],
    ['package.json', '{ "name": "x" }', /^package\.json:1: it has no table 'sim'/],
    ['pyproject.toml', '[tool.other]\n', /^pyproject\.toml:1: it has no table 'tool\.sim'/],
    ['package.json', '{ "sim": true }', /^package\.json:1: the options must be keys with values, not true/],
  ] as const)('that is malformed is refused: %s', ([name, text, message]) => {
    using folder = temporaryFolder({ [name]: text })
    expect(problemsOf(name, folder.path)).toEqual([expect.stringMatching(message)])
  })

  it('reports a key that comes twice in its own table, and not in those of other tools', () => {
    using folder = temporaryFolder({
      'package.json': '{ "name": "a", "name": "b",\n  "sim": { "seed": 1,\n "seed": 2 } }',
    })
    expect(problemsOf('package.json', folder.path)).toEqual([
      "package.json:3: the key 'sim.seed' comes twice",
    ])
    folder.write('package.json', '{ "name": "a", "name": "b", "sim": { "seed": 1 } }')
    expect(loadConfig('package.json', folder.path)).toEqual({ seed: 1 })
  })

  it('that is named must be there and readable', () => {
    using folder = temporaryFolder({ 'sim.yaml/inner': '' })
    expect(problemsOf('missing.yaml', folder.path)).toEqual(['missing.yaml: there is no such file'])
    expect(problemsOf('sim.yaml', folder.path)).toEqual([
      expect.stringMatching(/^sim\.yaml: it cannot be read: /),
    ])
  })

  it('below the working directory is named by its relative path', () => {
    const file = relative('/', join(import.meta.dirname, 'none.yaml'))
    expect(problemsOf(file, '/')).toEqual(['test/options/none.yaml: there is no such file'])
  })
})

describe('the search for a config file', () => {
  it('takes the nearest directory, and in it the first of the names', () => {
    using folder = temporaryFolder({
      'sim.yaml': 'seed: 1',
      'a/pyproject.toml': '[tool.sim]\nseed = 2',
      'a/b/sim.yml': 'seed: 3',
      'a/b/package.json': '{ "sim": { "seed": 4 } }',
      'a/b/c/d/none.txt': '',
    })
    const seedFrom = (place: string): unknown => loadConfig(undefined, join(folder.path, place)).seed
    expect([seedFrom('.'), seedFrom('a'), seedFrom('a/b'), seedFrom('a/b/c/d')]).toEqual([1, 2, 3, 3])
  })

  it('passes by files of other tools that hold no options', () => {
    using folder = temporaryFolder({
      'sim.yaml': 'seed: 1',
      'a/package.json': '{ "name": "sim-shop", "keywords": ["sim"] }',
      'a/b/package.json': '{ malformed',
      'a/b/c/pyproject.toml': '[tool.other]\nname = "sim"\n',
    })
    expect(findConfig(join(folder.path, 'a/b/c'))).toBe(join(folder.path, 'sim.yaml'))
  })

  it('stops at a malformed file that speaks of sim', () => {
    using folder = temporaryFolder({ 'package.json': '{ "sim": { "seed": 1 }' })
    expect(() => loadConfig(undefined, folder.path)).toThrow(ConfigInvalid)
  })

  it('ends at the root without a file', () => {
    using folder = temporaryFolder({ 'sim.yaml/inner.txt': '' })
    expect(findConfig(folder.path)).toBeUndefined()
    expect(loadConfig(undefined, folder.path)).toEqual({})
  })
})
