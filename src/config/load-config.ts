import { resolve } from 'node:path'
import { readConfigFile } from './config-file.ts'
import { findConfig } from './find-config.ts'
import type { GatewayConfig } from './gateway-config.ts'
import type { SimOptions } from './sim-options.ts'

/**
 * Reads the options of a config file; without a path, of the first one found from `directory` upwards.
 * Without a file there are none; a named file must be there.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadConfig(path: string | undefined, directory: string): SimOptions {
  const file = fileOf(path, directory)
  if (file === undefined) return {}
  const { gateway: _gateway, ...options } = readConfigFile(file)
  return options
}

/** The gateway's part of a config file. */
export interface LoadedGateway {
  /** The file that was read. */
  readonly file: string
  readonly seed: number | undefined
  readonly gateway: GatewayConfig
}

/**
 * Reads the `gateway` section of a config file, found as `loadConfig` finds it; `undefined` where there is no file,
 * or where one that was not named has no such section.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadGatewayConfig(path: string | undefined, directory: string): LoadedGateway | undefined {
  const file = fileOf(path, directory)
  if (file === undefined) return undefined
  const { gateway, seed } = readConfigFile(file)
  if (gateway === undefined && path === undefined) return undefined
  return { file, seed, gateway: gateway ?? {} }
}

function fileOf(path: string | undefined, directory: string): string | undefined {
  return path === undefined ? findConfig(directory) : resolve(directory, path)
}
