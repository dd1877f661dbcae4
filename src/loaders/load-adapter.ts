import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { createAdapter, type Adapter } from '../adapter/adapter.ts'
import type { AdapterConfig } from '../adapter/config.ts'
import type { AdapterDefinition } from '../adapter/definition.ts'
import { TargetInvalid } from '../errors.ts'
import type { AdapterMountConfig } from '../options/adapter-options.ts'
import { besides } from '../options/gateway-config.ts'
import type { AdapterMount } from '../modes/adapter-mounts.ts'
import { findModule, importModule } from './load-module.ts'

/** A mount of an adapter that was loaded. */
interface LoadedMount extends AdapterMount {
  readonly adapter: Adapter<unknown>
}

/**
 * The adapters that a config file names, ready to be mounted.
 * @param file the config file, which packages, modules and fixtures are found from
 * @param seed that of adapters which have none of their own
 * @throws TargetInvalid for a module that is not there or exports no `adapter`; FixtureInvalid, OptionInvalid
 */
export async function loadAdapters(
  entries: readonly AdapterMountConfig[],
  file: string,
  seed?: number,
): Promise<LoadedMount[]> {
  const mounts: LoadedMount[] = []
  for (const { use, host, prefix, ...rest } of entries) {
    const definition = await loadDefinition(use, file)
    mounts.push({ adapter: createAdapter(definition, configOf(rest, file, seed)), host, prefix })
  }
  return mounts
}

/** An adapter whose state and fixture are its own affair. */
type AnyDefinition = AdapterDefinition<unknown, unknown>

async function loadDefinition(use: string, file: string): Promise<AnyDefinition> {
  const path = /^[./]/.test(use) ? findModule(use, dirname(file)).file : findPackage(use, file)
  const { adapter } = await importModule(path, use, {})
  if (isDefinition(adapter)) return adapter
  throw new TargetInvalid(
    `'${use}' is not an adapter: it exports no 'adapter' with a name, operations and a fixture`,
  )
}

function configOf(
  {
    auth,
    tokens,
    fixture,
    seed: own,
    options = {},
    ...rest
  }: Omit<AdapterMountConfig, 'use' | 'host' | 'prefix'>,
  file: string,
  seed: number | undefined,
): AdapterConfig {
  return {
    ...options,
    ...rest,
    seed: own ?? seed ?? 0,
    auth: { ...(auth !== undefined && { mode: auth }), ...(tokens !== undefined && { tokens }) },
    ...(fixture !== undefined && { fixture: besides(file, fixture) }),
  }
}

function findPackage(name: string, file: string): string {
  try {
    return createRequire(resolve(file)).resolve(name)
  } catch (error) {
    throw new TargetInvalid(`The adapter '${name}' is not installed where ${file} is: npm install ${name}`, {
      cause: error,
    })
  }
}

function isDefinition(value: unknown): value is AnyDefinition {
  const { name, operations, fixture, toAnswer } = (value ?? {}) as Partial<AnyDefinition>
  return (
    typeof name === 'string' &&
    Array.isArray(operations) &&
    typeof fixture === 'object' &&
    typeof toAnswer === 'function'
  )
}
