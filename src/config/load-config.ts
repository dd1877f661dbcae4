import type { SimOptions } from './sim-options.ts'

/**
 * Reads the options of a config file; without a path, of the first one found from `directory` upwards.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadConfig(_path: string | undefined, _directory: string): SimOptions {
  return {}
}
