import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDifference } from './expected-output.ts'
import { readBlocks } from './markdown.ts'
import { createPageApps, targetsIn } from './page-apps.ts'
import { runBlock, type Page } from './run-block.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

describe('a page', () => {
  it('is read as its fenced blocks, each with its line and what the comments before it say', () => {
    const page = `# Title\n\n${fenced('sh', 'a\nb')}\n\n<!-- exit: 1 -->\n<!-- output -->\n${fenced('text', 'c')}\n`
    expect(readBlocks('page.md', page)).toEqual([
      { page: 'page.md', line: 3, language: 'sh', text: 'a\nb', notes: new Map() },
      {
        page: 'page.md',
        line: 10,
        language: 'text',
        text: 'c',
        notes: new Map([
          ['exit', '1'],
          ['output', ''],
        ]),
      },
    ])
  })

  it.for([
    ['in an indented paragraph', 'text\n\n    code\n'],
    ['in HTML', '<pre>code</pre>\n'],
    ['in a list', `- item\n\n  ${fenced('sh', 'true')}\n`],
    ['in a quotation', '> ```sh\n> true\n> ```\n'],
    ['between tildes', '~~~sh\ntrue\n~~~\n'],
    ['without an end', '```sh\ntrue\n'],
    ['behind an unknown comment', `<!-- skip -->\n${fenced('sh', 'true')}\n`],
  ])('that holds code %s is refused', ([, page = '']) => {
    expect(() => readBlocks('page.md', page)).toThrow(/^page\.md:\d+: /)
  })
})

describe('a block', () => {
  let workspace: Workspace
  let page: Page

  beforeAll(async () => {
    workspace = await createWorkspace()
    page = {
      file: 'page.md',
      workspace,
      apps: createPageApps([], workspace),
      assumed: async (port) => Promise.reject(new Error(`nothing at ${port}`)),
      printed: async () => '',
    }
  })
  afterAll(() => workspace.close())

  const run = async (source: string): Promise<string[]> => {
    const done: string[] = []
    for (const block of readBlocks('page.md', source)) done.push(await runBlock(block, page))
    return done
  }

  it.for([
    ['of an unknown language', fenced('python', 'print(1)'), /nobody knows how to run a block of 'python'/],
    ['of no language', fenced('', 'true'), /nobody knows how to run a block of 'no language'/],
    ['of text that is not an output', fenced('text', 'a'), /must be an output/],
    ['of data that is not a file', fenced('json', '{}'), /must be a file, or an output/],
    ['of data that is malformed', `<!-- file: a.json -->\n${fenced('json', '{')}`, /JSON/],
    [
      'that quotes what a file does not say',
      `<!-- quote: .nvmrc -->\n${fenced('text', 'no version')}`,
      /\.nvmrc says otherwise/,
    ],
    ['with a command that fails', fenced('sh', 'false\ntrue'), /ended with 1 instead of 0/],
    [
      'with a command that does not fail as noted',
      `<!-- exit: 1 -->\n${fenced('sh', 'true')}`,
      /0 instead of 1/,
    ],
    ['with a script that throws', fenced('ts', 'throw new Error("no")'), /ended with 1 instead of 0/],
    [
      'with a test that fails',
      fenced('ts', "// a.test.ts\nimport { it } from 'vitest'\nit('a', () => Promise.reject(1))"),
      /ended with 1/,
    ],
    [
      'that replaces an app that is wrong',
      Array(2)
        .fill(`<!-- file: app.yaml -->\n${fenced('yaml', 'routes: 1')}`)
        .join('\n\n'),
      /page\.md:7: .*\napp\.yaml: .*routes/,
    ],
    ['with a server that does not start', fenced('sh', 'sim run nowhere.ts'), /ended before it listened/],
    ['with a request to nobody', fenced('sh', "curl 'http://127.0.0.1:7777/'"), /nothing at 7777/],
    ['with a fixed port', fenced('ts', 'const options = { port: 8000 }'), /port that can be replaced/],
    [
      'with another output',
      `${fenced('sh', 'echo a')}\n<!-- output -->\n${fenced('text', 'b')}`,
      /page\.md:5: The page says:\nb/,
    ],
    [
      'with an output of nothing',
      `${fenced('json', '{}').replace('json', 'sh').replace('{}', 'npm cit')}\n<!-- output -->\n${fenced('text', 'b')}`,
      /nothing was printed/,
    ],
  ] as const)('%s fails', { timeout: 60_000 }, async ([, source, message]) => {
    await expect(run(source)).rejects.toThrow(message)
  })

  it('that is a file can be used by the blocks after it', async () => {
    const source = [
      `<!-- file: a.json -->\n${fenced('json', '{ "a": 1 }')}`,
      fenced(
        'ts',
        "// b.ts\nimport { readFileSync } from 'node:fs'\nexport const text = readFileSync('a.json', 'utf8')",
      ),
      fenced('ts', "import { text } from './b.ts'\nconsole.log(text)"),
      `<!-- output -->\n${fenced('json', '{ "a": 1 }')}`,
    ]
    expect(await run(source.join('\n\n'))).toEqual(['written', 'ran', 'ran', 'compared'])
  })
})

it('has the apps that its files hold', () => {
  const files: readonly (readonly [string, string])[] = [
    ['a.ts', 'export const api = new SimAPI()'],
    ['a.ts', "export const one = new SimAPI()\nexport const two = SimAPI.fromConfig('sim.yaml')"],
    ['a.ts', 'const api = new SimAPI()'],
    ['a.yaml', 'openapi: 3.1.0'],
    ['a.json', '{ "routes": [] }'],
    ['sim.yaml', 'gateway: {}'],
    ['a.graphql', 'type Query { a: Int }'],
  ]
  expect(files.map(([file, text]) => targetsIn(file, text))).toEqual([
    ['a.ts'],
    ['a.ts:one', 'a.ts:two'],
    [],
    ['a.yaml'],
    ['a.json'],
    [],
    ['a.graphql'],
  ])
})

describe('an output', () => {
  it.for([
    ['text', 'a\nb', 'a  \r\nb\n', true],
    ['text', 'a … c', 'a b c', true],
    ['text', 'a\n…\nc', 'a\nb\nb\nc', true],
    ['text', 'a … c', 'a b d', false],
    ['text', 'a.c', 'abc', false],
    ['json', '{ "a": [1, 2] }', '{"a":[1,2]}', true],
    ['json', '{ "a": "…" }', '{"a":[1,2]}', true],
    ['json', '{ "a": 1, "…": "…" }', '{"a":1,"b":2}', true],
    ['json', '[1, "…"]', '[1,2,3]', true],
    ['json', '{ "a": 1 }', '{"a":1,"b":2}', false],
    ['json', '{ "a": 1, "b": 2 }', '{"b":2,"a":1}', false],
    ['json', '[1]', '{"0":1}', false],
    ['json', '{}', 'no JSON', false],
  ] as const)('of %s that promises %j and is %j: %s', ([language, expected, actual, matches]) => {
    expect(findDifference(language, expected, actual) === undefined).toBe(matches)
  })
})
