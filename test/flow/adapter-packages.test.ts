import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandOf, installPacked, type PackedPackage, type PackedProject } from './packed.ts'
import { startCommand } from './sim-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const ADAPTERS = [
  ['sim-ontology', '/api/v2/ontologies'],
  ['sim-workspace', '/api/2.1/clusters/list'],
] as const

const USE = `
import { createManifest, type AdapterConfig } from 'sim-gateway/adapter'
import { adapter as ontology, OntologyMockContext, OntologyMock, type OntologyMockConfig } from 'sim-ontology'
import { adapter as workspace, WorkspaceMockContext, WorkspaceMock } from 'sim-workspace'
import { createOntologyTest, ontologyTest } from 'sim-ontology/testing'
import { createWorkspaceTest, workspaceTest } from 'sim-workspace/testing'

const config: OntologyMockConfig & AdapterConfig = { seed: 1 }
const first: number = createManifest(ontology).operations.length + createManifest(workspace).operations.length
using mock = new OntologyMockContext(config)
using other = new WorkspaceMockContext()
const status: number = (await mock.fetch('/')).status
// @ts-expect-error so that types that are lost are noticed
const wrong: string = other.baseUrl.length
export const all = [first, status, wrong, OntologyMock, WorkspaceMock, createOntologyTest, ontologyTest]
export const rest = [createWorkspaceTest, workspaceTest]
`
const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'esnext.disposable'], types: ['node'] },
  ...{ strict: true, noEmit: true },
}

let project: PackedProject
beforeAll(async () => {
  project = await installPacked({
    'use.ts': USE,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.ts'] }),
    'sim.yaml': `gateway:
  adapters:
    - { use: sim-ontology, prefix: /sim-ontology, fixture: sim-ontology.yaml }
    - { use: sim-workspace, prefix: /sim-workspace }
`,
  })
}, 60_000)
afterAll(() => project[Symbol.dispose]())

const packageOf = (name: string): PackedPackage => {
  const found = project.packages.find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} was not packed`)
  return found
}
const ask = async (name: string, ...args: string[]): Promise<string> => {
  const command = [commandOf(packageOf(name), name), ...args]
  const { stdout } = await run(process.execPath, command, { cwd: project.path })
  return stdout
}

describe.for(ADAPTERS)('the package %s', ([name, path]) => {
  it('has what it promises, and no source or tests', () => {
    const { files, json, directory } = packageOf(name)
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json', 'dist/manifest.json']),
    )
    const published =
      /^(bin\/[\w-]+\.js|dist\/.*\.(js|d\.ts)|dist\/manifest\.json|fixtures\/.*\.yaml|(README|CHANGELOG)\.md|LICENSE|package\.json)$/
    expect(files.filter((file) => !published.test(file))).toEqual([])
    expect(
      files.filter((file) => /^dist.*\.js$/.test(file) && !files.includes(file.replace(/js$/, 'd.ts'))),
    ).toEqual([])
    for (const entry of Object.values(json.exports)) {
      const { types, default: main } = typeof entry === 'string' ? { types: entry, default: entry } : entry
      expect([types, main].filter((file) => !existsSync(join(directory, file ?? '')))).toEqual([])
    }
    expect(readFileSync(commandOf(packageOf(name), name), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('names no place of the machine that built it', () => {
    const { files, directory } = packageOf(name)
    const places = [ROOT, project.path]
    const naming = files.filter((file) => {
      const text = readFileSync(join(directory, file), 'utf8')
      return places.some((place) => text.includes(place))
    })
    expect(naming).toEqual([])
  })

  it('has a command that does everything', async () => {
    expect(await ask(name, '--version')).toBe(`${packageOf(name).json.version}\n`)
    expect(await ask(name, 'operations')).toContain(path)
    expect(await ask(name, 'fixture', 'init', '--output', `${name}.yaml`)).toBe(`Wrote ${name}.yaml\n`)
    expect(await ask(name, 'validate', '--strict', `${name}.yaml`)).toBe(`${name}.yaml is valid\n`)
    const manifest = readFileSync(join(packageOf(name).directory, 'dist/manifest.json'), 'utf8')
    expect(await ask(name, 'manifest')).toBe(manifest)
    const server = await startCommand(commandOf(packageOf(name), name), ['serve'], project.path)
    expect((await fetch(server.url + path)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('the packages together', () => {
  it('are mounted into the gateway by their names', async () => {
    await ask('sim-ontology', 'fixture', 'init', '--force', '--output', 'sim-ontology.yaml')
    const sim = await startCommand(commandOf(packageOf('sim-gateway'), 'sim'), ['proxy'], project.path)
    for (const [name, path] of ADAPTERS) expect((await fetch(`${sim.url}/${name}${path}`)).status).toBe(200)
    expect(await sim.stop()).toBe(0)
  })

  it('have types that hold', async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await expect(run(tsc, ['-p', '.'], { cwd: project.path })).resolves.toMatchObject({ stdout: '' })
  })
})
