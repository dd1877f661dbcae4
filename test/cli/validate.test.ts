import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { runSim } from '../flow/sim-process.ts'
import { simHere } from './run-in-process.ts'

const index = resolve(import.meta.dirname, '../../dist/src/index.js')
const head = `import { FromInput, list, SimAPI } from ${JSON.stringify(index)}
const User = { type: 'object', title: 'User', properties: { name: { type: 'string', ...FromInput('name') } } }
const input = { type: 'object', properties: { name: { type: 'string' } } }
export const api = new SimAPI({ seed: 1 })`

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'good.mjs': `${head}.get('/a', { input, output: list(User) }).get('/b')\n`,
    'warned.mjs': `${head}.get('/f/{a}.{b}', {}).get('/f/{a}.json', {})\n`,
    'bad.mjs': `${head}.get('/a', { output: User }).post('/b', { output: { type: 'strnig' } })\n`,
    'twice.mjs': `${head}.get('/a').get('/a')\n`,
    'option.mjs': `${head}.get('/a', { errorRate: 2 })\n`,
    'web.mjs': `${head}\nexport const app = api.asWebApp()\n`,
    'config/sim.yaml': 'sede: 1\nlist_count: many\n',
    'config/good.mjs': `${head}.get('/a')\n`,
  })
})
afterAll(() => folder[Symbol.dispose]())

const BAD = [
  "bad.mjs:4:44: GET /a: User.name: fromInput reads input field 'name', which the input model does not have",
  expect.stringMatching(
    /^bad\.mjs:4:72: POST \/b: output: type: Value must be equal to one of the allowed values/,
  ) as unknown,
  '2 problems in 2 routes',
]

describe('sim validate', () => {
  it('says OK with counts on stdout when nothing is wrong', async () => {
    expect(await runSim(['validate', 'good.mjs'], folder.path)).toEqual({
      code: 0,
      stdout: 'OK: 2 routes, 1 link\n',
      stderr: '',
    })
  })

  it('prints every problem on stderr, one a line, with a count', async () => {
    const { code, stdout, stderr } = await runSim(['validate', 'bad.mjs:api'], folder.path)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n')).toEqual(BAD)
  })

  it('passes warnings', async () => {
    const { code, stdout, stderr } = await runSim(['validate', 'warned.mjs'], folder.path)
    expect([code, stdout]).toEqual([0, 'OK: 2 routes, 0 links\n'])
    expect(stderr).toBe(
      'warning: warned.mjs:4:66: GET /f/{a}.json: never reached, since GET /f/{a}.{b} answers its paths\n',
    )
  })

  it.for([
    ['twice.mjs', "twice.mjs:4:54: Duplicate GET endpoint registered for path '/a'\n1 problem\n"],
    ['option.mjs', 'option.mjs:4:44: GET /a: errorRate must be a number from 0 to 1, not 2\n1 problem\n'],
    [
      'web.mjs:app',
      "'web.mjs:app' is a web app; only the declared routes of a SimAPI can be checked\n1 problem\n",
    ],
    [
      'config/good.mjs',
      "config/sim.yaml:1: unknown key 'sede'. Did you mean 'seed'?\n" +
        'config/sim.yaml:2: list_count must be a whole number, 0 or more, not "many"\n2 problems in 1 route\n',
    ],
  ] as const)('refuses %s', async ([target, stderr]) => {
    expect(await runSim(['validate', target], folder.path)).toEqual({ code: 1, stdout: '', stderr })
  })

  it('prints JSON for other programs', async () => {
    const good = await simHere('validate', `${folder.path}/good.mjs`, '--json')
    expect([good.code, good.stderr]).toEqual([0, ''])
    expect(JSON.parse(good.stdout)).toEqual({
      ...{ ok: true, routes: 2, links: 1 },
      ...{ problems: [], warnings: [], notes: [] },
    })

    const bad = await runSim(['validate', 'bad.mjs', '--json'], folder.path)
    expect([bad.code, bad.stderr]).toEqual([1, '2 problems in 2 routes\n'])
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      problems: [{ kind: 'link', route: 'GET /a', model: 'User', field: 'name' }, { kind: 'model' }],
    })
  })

  it('gives in this process what the command prints', async () => {
    const [good, warned] = [
      await simHere('validate', `${folder.path}/good.mjs`),
      await simHere('validate', `${folder.path}/warned.mjs`),
    ]
    expect(good).toEqual({ code: 0, stdout: 'OK: 2 routes, 1 link\n', stderr: '' })
    expect(warned.stderr).toMatch(/^warning: /)
    expect((await simHere('validate', `${folder.path}/option.mjs`)).stderr).toMatch(/1 problem\n$/)
  })
})

describe('where a mistake is', () => {
  const module = (extension: string): string => `import { SimAPI } from ${JSON.stringify(index)}
${extension === 'mjs' ? '' : 'type Unused = string\n'}
export const api = new SimAPI({ seed: 1 })
  .get('/a')
  .get('/b', { eror_rate: 2 }${extension === 'mjs' ? '' : ' as never'})
`

  it.each(['ts', 'mts', 'mjs'])('is said of a .%s file, with the right name', async (extension) => {
    using own = temporaryFolder({ [`app.${extension}`]: module(extension) })
    const { stderr } = await runSim(['run', `app.${extension}`, '--port', '0'], own.path)
    expect(stderr).toContain(
      `app.${extension}:${extension === 'mjs' ? 5 : 6}:4: GET /b: there is no option 'eror_rate'`,
    )
    expect(stderr).toContain("Did you mean 'errorRate'?")
  })

  it('is a location in SARIF and in annotations', async () => {
    using own = temporaryFolder({ 'app.ts': module('ts') })
    const sarif = await runSim(['validate', 'app.ts', '--format', 'sarif'], own.path)
    const { runs } = JSON.parse(sarif.stdout) as { runs: { results: object[] }[] }
    const region = { startLine: 6, startColumn: 4 }
    expect([sarif.code, runs[0]?.results]).toMatchObject([
      1,
      [
        {
          level: 'error',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'app.ts' }, region } }],
        },
      ],
    ])
    const github = await runSim(['validate', 'app.ts', '--format', 'github'], own.path)
    expect(github.stdout).toMatch(
      /^::error file=app\.ts,line=6,col=4,title=sim%3A target::GET \/b: there is no/,
    )
  })

  it('is in a file of any name, as a URI and apart from the message', async () => {
    using own = temporaryFolder({ 'my app/a#1 %.ts': module('ts') })
    const target = 'my app/a#1 %.ts'
    const sarif = await runSim(['validate', target, '--format', 'sarif'], own.path)
    const { runs } = JSON.parse(sarif.stdout) as { runs: { results: { locations: object[] }[] }[] }
    expect(runs[0]?.results[0]?.locations[0]).toMatchObject({
      physicalLocation: { artifactLocation: { uri: 'my%20app/a%231%20%25.ts' } },
    })
    const outside = await runSim(['validate', join(own.path, target), '--format', 'sarif'])
    expect(outside.stdout).toContain(`"uri": "file://${own.path}/my%20app/a%231%20%25.ts"`)
    const github = await runSim(['validate', target, '--format', 'github'], own.path)
    expect(github.stdout).toMatch(/^::error file=my app\/a#1 %25\.ts,line=6,col=4,.*::GET \/b: there is no/)
  })

  it.each(['cjs', 'cts'])('is nowhere in a .%s file that is right', async (extension) => {
    const text = `const { SimAPI } = require(${JSON.stringify(index)})\nmodule.exports.api = new SimAPI({ seed: 1 }).get('/a')\n`
    using own = temporaryFolder({ [`app.${extension}`]: text })
    expect((await runSim(['validate', `app.${extension}`], own.path)).stdout).toBe('OK: 1 route, 0 links\n')
  })

  it('is an error for a fixture outside the package, also where the app is served', async () => {
    const text = `import { FromJsonFixture, SimAPI } from ${JSON.stringify(index)}
const output = { type: 'object', properties: { a: { ...FromJsonFixture('../outside.json', { pointer: '' }) } } }
export const api = new SimAPI({ seed: 1 }).get('/a', { output })
`
    using own = temporaryFolder({ 'in/package.json': '{}', 'in/app.mjs': text, 'outside.json': '1' })
    const { code, stderr } = await runSim(['run', 'in/app.mjs', '--port', '0'], own.path)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/in\/app\.mjs:3:44: GET \/a: .*lies outside/)
  })
})
