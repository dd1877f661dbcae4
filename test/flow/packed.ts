import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A project that has packages installed as they would be published. */
export interface PackedProject extends TemporaryFolder {
  readonly packages: readonly PackedPackage[]
}

/** A package as it would be published. */
export interface PackedPackage {
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
export async function installPacked(
  files: Readonly<Record<string, string>>,
  names = ['.', 'adapters/ontology', 'adapters/workspace'],
): Promise<PackedProject> {
  const project = temporaryFolder({ 'package.json': '{ "private": true, "type": "module" }', ...files })
  const modules = join(project.path, 'node_modules')
  mkdirSync(modules)
  const targets = names.map((name) => `./${name}`)
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project.path, ...targets]
  const { stdout } = await run('npm', pack, { cwd: ROOT })
  const packages: PackedPackage[] = []
  for (const { name, filename, files: listed } of JSON.parse(stdout) as readonly Packed[]) {
    const directory = join(modules, name)
    await run('tar', ['-xzf', join(project.path, filename), '-C', project.path])
    renameSync(join(project.path, 'package'), directory)
    const json = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson
    packages.push({ name, directory, json, files: listed.map(({ path }) => path) })
  }
  linkDependencies(
    modules,
    packages.map(({ name }) => name),
  )
  return { ...project, packages }
}

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

function linkDependencies(modules: string, own: readonly string[]): void {
  const from = join(ROOT, 'node_modules')
  for (const name of readdirSync(from)) {
    if (!own.includes(name)) symlinkSync(join(from, name), join(modules, name))
  }
}

/** The file behind a command of a package. */
export function commandOf({ directory, json }: PackedPackage, name: string): string {
  return join(directory, json.bin[name] ?? `no command ${name}`)
}
