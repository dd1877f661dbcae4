import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TemporaryFolder } from '../temporary-folder.ts'
import { openFolder, spawnCommand } from './kit.ts'
import { ROOT } from './sim-process.ts'

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

/** A package as it would be published. */
interface PackedPackage {
  readonly name: string
  readonly directory: string
  /** What is in it, by path. */
  readonly files: readonly string[]
  readonly json: PackageJson
}

interface PackageJson {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Packs the core and its adapters as built, and installs them without the network: beside what they depend on. */
async function installPacked(project: TemporaryFolder): Promise<readonly PackedPackage[]> {
  const modules = join(project.path, 'node_modules')
  mkdirSync(modules)
  const targets = ['.', './adapters/ontology', './adapters/workspace']
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project.path, ...targets]
  const { stdout } = await run('npm', pack, { cwd: ROOT })
  const packages: PackedPackage[] = []
  for (const { name, filename, files } of JSON.parse(stdout) as readonly Packed[]) {
    const directory = join(modules, name)
    await run('tar', ['-xzf', join(project.path, filename), '-C', project.path])
    renameSync(join(project.path, 'package'), directory)
    const json = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson
    packages.push({ name, directory, json, files: files.map(({ path }) => path) })
  }
  const own = packages.map(({ name }) => name)
  const from = join(ROOT, 'node_modules')
  for (const name of readdirSync(from))
    if (!own.includes(name)) symlinkSync(join(from, name), join(modules, name))
  return packages
}

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** The file behind a command of a package. */
function commandOf({ directory, json }: PackedPackage, name: string): string {
  return join(directory, json.bin[name] ?? `no command ${name}`)
}

const project = openFolder({
  'package.json': '{ "private": true, "type": "module" }',
  'use.ts': USE,
  'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.ts'] }),
  'sim.yaml': `gateway:
  adapters:
    - { use: sim-ontology, prefix: /sim-ontology, fixture: sim-ontology.yaml }
    - { use: sim-workspace, prefix: /sim-workspace }
`,
})
let packages: readonly PackedPackage[]
beforeAll(async () => {
  packages = await installPacked(project)
})

const packageOf = (name: string): PackedPackage => {
  const found = packages.find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} was not packed`)
  return found
}
const runCommand = async (name: string, ...args: string[]): Promise<string> => {
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
    expect(await runCommand(name, '--version')).toBe(`${packageOf(name).json.version}\n`)
    expect(await runCommand(name, 'operations')).toContain(path)
    expect(await runCommand(name, 'fixture', 'init', '--output', `${name}.yaml`)).toBe(`Wrote ${name}.yaml\n`)
    expect(await runCommand(name, 'validate', '--strict', `${name}.yaml`)).toBe(`${name}.yaml is valid\n`)
    const manifest = readFileSync(join(packageOf(name).directory, 'dist/manifest.json'), 'utf8')
    expect(await runCommand(name, 'manifest')).toBe(manifest)
    const server = await spawnCommand(commandOf(packageOf(name), name), ['serve'], project.path)
    expect((await fetch(server.url + path)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('the packages together', () => {
  it('are mounted into the gateway by their names', async () => {
    await runCommand('sim-ontology', 'fixture', 'init', '--force', '--output', 'sim-ontology.yaml')
    const sim = await spawnCommand(commandOf(packageOf('sim-gateway'), 'sim'), ['proxy'], project.path)
    for (const [name, path] of ADAPTERS) expect((await fetch(`${sim.url}/${name}${path}`)).status).toBe(200)
    expect(await sim.stop()).toBe(0)
  })

  it('have types that hold', async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await expect(run(tsc, ['-p', '.'], { cwd: project.path })).resolves.toMatchObject({ stdout: '' })
  })
})
