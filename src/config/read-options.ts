import type { Unplaced } from '../data-files/data-file.ts'
import { GATEWAY_SPECS, type GatewayConfig } from './gateway-config.ts'
import { readTable, type Specs } from './read-table.ts'
import { OPTION_CHECKS, STORE_CHECKS, STORE_FORM, type SimOptions } from './sim-options.ts'

/** The options of a file and all that is wrong with them. */
export interface ReadOptions {
  readonly options: FileOptions
  readonly problems: readonly Unplaced[]
}

/** What a config file holds: the options of an app, and those of the gateway. */
export interface FileOptions extends SimOptions {
  readonly gateway?: GatewayConfig
}

// A file cannot name another one.
const { configPath: _configPath, ...APP_CHECKS }: Specs = OPTION_CHECKS
const FILE_SPECS: Specs = {
  ...APP_CHECKS,
  store: { table: STORE_CHECKS, wanted: STORE_FORM },
  gateway: { table: GATEWAY_SPECS },
}

/**
 * Reads a table's snake_case keys as options.
 * @param at the keys that lead to the table in its file
 */
export function readOptions(table: unknown, at: readonly string[]): ReadOptions {
  const { values, problems } = readTable(table, FILE_SPECS, at)
  return { options: values, problems }
}
