import type { Argv } from 'yargs'
import type { AdapterMountConfig } from '../../options/adapter-options.ts'
import { besides, toGatewayOptions } from '../../options/gateway-config.ts'
import { loadGatewayConfig } from '../../options/config-file.ts'
import type { GatewayOptions } from '../../gateway.ts'

/** The option of `sim proxy` that names its config file. */
export interface ConfigOption {
  config: string | undefined
}

/** Adds `--config`. */
export function withConfigOption<T>(yargs: Argv<T>): Argv<T & ConfigOption> {
  return yargs.option('config', {
    type: 'string',
    describe: 'File with a gateway section; looked for in this folder and above if not given',
  })
}

/** What a config file says about the gateway. */
export interface ProxyConfig {
  /** The file; absent where there is none. */
  readonly file?: string
  readonly routes: readonly string[]
  readonly adapters: readonly AdapterMountConfig[]
  readonly seed: number | undefined
  readonly host: string | undefined
  readonly port: number | undefined
  readonly options: Partial<GatewayOptions>
}

/** Reads the config file that was named, or found. @throws ConfigInvalid naming file, key and line */
export function configOf({ config }: ConfigOption): ProxyConfig {
  const loaded = loadGatewayConfig(config, process.cwd())
  if (loaded === undefined)
    return { routes: [], adapters: [], seed: undefined, host: undefined, port: undefined, options: {} }
  const { file, seed, gateway } = loaded
  return {
    file,
    adapters: gateway.adapters ?? [],
    routes: (gateway.routes ?? []).map((target) => besides(file, target)),
    seed,
    host: gateway.host,
    port: gateway.port,
    options: toGatewayOptions(gateway, file),
  }
}
