import { resolve } from 'node:path'
import { readConfigFile } from './config-file.ts'
import { findConfig } from './find-config.ts'
import type { SimOptions } from './sim-options.ts'

/**
 * Reads the options of a config file; without a path, of the first one found from `directory` upwards.
 * Without a file there are none; a named file must be there.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadConfig(path: string | undefined, directory: string): SimOptions {
  const file = path === undefined ? findConfig(directory) : resolve(directory, path)
  return file === undefined ? {} : readConfigFile(file)
}
