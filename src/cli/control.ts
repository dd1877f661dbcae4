import type { Argv } from 'yargs'
import type { ControlOptions } from '../control/control.ts'
import { given } from './options.ts'

/** Options about who may use the control plane. */
export interface ControlFlags {
  adminToken: string | undefined
}

/** Adds `--admin-token`. */
export function withControlOptions<T>(yargs: Argv<T>): Argv<T & ControlFlags> {
  return yargs.option('admin-token', {
    type: 'string',
    describe: 'Bearer token that opens the control plane, also from elsewhere (or SIM_ADMIN_TOKEN)',
  }) as unknown as Argv<T & ControlFlags>
}

/** Who may use the control plane. */
export function controlOf(
  { adminToken }: ControlFlags,
  env: NodeJS.ProcessEnv = process.env,
): ControlOptions {
  return given('adminToken', adminToken ?? env['SIM_ADMIN_TOKEN'])
}
