import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative } from 'node:path'
import type { GatewaySource } from '../control/explain/source.ts'
import { fixtureFiles } from '../engine/fixtures/json-fixtures.ts'
import type { AppGatewayOptions } from '../gateway.ts'
import { findConfig } from '../options/config-file.ts'
import { seedsOf } from './join-apps.ts'
import type { LoadedApi, LoadOptions } from './target.ts'
import { findImports } from './watch/load-again.ts'

/** How a command serves its targets. */
interface Serving {
  readonly targets: readonly string[]
  readonly load: LoadOptions
  readonly isJoined: boolean
  readonly options: Pick<AppGatewayOptions, 'defaults' | 'cors'>
}

/** What a command serves, so that one of its answers can be had elsewhere. Files are looked for when they are needed. */
export function sourceOf(
  apps: readonly LoadedApi[],
  { targets, load, isJoined, options }: Serving,
): GatewaySource {
  const directory = process.cwd()
  const seeds = seedsOf(apps, targets, load)
  return {
    version: ownVersion(),
    directory,
    isJoined,
    defaults: given(options.defaults ?? {}),
    cors: options.cors,
    apps: apps.map(({ files, overrides }, index) => ({
      target: targets[index] ?? '',
      files: () => filesOf(files, directory),
      options: given({
        ...{ ...load.options, ...overrides },
        seed: seeds[index]?.seed,
        seedDrawn: seeds[index]?.isDrawn,
      }),
    })),
  }
}

function filesOf(files: readonly string[], directory: string): readonly string[] {
  const imported = files.flatMap((file) => findImports(file))
  const config = findConfig(directory)
  const near = dirname(files[0] ?? directory)
  const fixtures = fixtureFiles().filter((file) => isNear(file, near) || isNear(file, directory))
  const all = [...files, ...imported, ...fixtures, ...(config === undefined ? [] : [config])]
  return [...new Set(all)].filter((file) => existsSync(file) && statSync(file).isFile())
}

// What other apps of this process have read is not of this one.
function isNear(file: string, directory: string): boolean {
  return !relative(directory, file).startsWith('..')
}

function given(options: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function ownVersion(): string {
  return (createRequire(import.meta.url)('sim-gateway/package.json') as { readonly version: string }).version
}
