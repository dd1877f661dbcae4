import type { AdapterMountConfig } from '../options/adapter-options.ts'
import { loadGatewayConfig } from '../options/config-file.ts'
import { besides, toGatewayOptions } from '../options/gateway-config.ts'
import type { GatewayOptions } from '../gateway.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { readFlags } from './flags.ts'

interface ConfigFlags {
  readonly config: string | undefined
}

/** The flag that names a config file. */
export const CONFIG_FLAGS: Readonly<Record<keyof ConfigFlags, Option>> = {
  config: {
    ...TEXT,
    group: 'Serving',
    see: 'cli.md#the-gateway-section',
    flag: {
      name: 'config',
      isCommon: true,
      describe: 'File with a gateway section; looked for in this folder and above if not given',
    },
  },
}

/** What a config file says about the gateway. */
interface ProxyConfig {
  /** The file; absent where there is none. */
  readonly file?: string
  readonly routes: readonly string[]
  readonly adapters: readonly AdapterMountConfig[]
  readonly seed: number | undefined
  readonly host: string | undefined
  readonly port: number | undefined
  readonly listen?: readonly string[] | undefined
  readonly checkAgainst?: string | undefined
  readonly options: Partial<GatewayOptions>
}

/** Reads the config file that was named, or found. @throws ConfigInvalid naming file, key and line */
export function readConfig(given: object): ProxyConfig {
  const { config } = readFlags<ConfigFlags>(given, CONFIG_FLAGS)
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
    listen: gateway.listen?.map((place) =>
      place.replace(/^unix:(.+)$/s, (_, path: string) => `unix:${besides(file, path)}`),
    ),
    checkAgainst: gateway.checkAgainst && besides(file, gateway.checkAgainst),
    options: toGatewayOptions(gateway, file),
  }
}
