import { LOG_FORMATS, LOG_LEVELS, type LogOptions } from '../http/open-log.ts'
import { FLAG, oneOf, type Option } from '../pipeline/option.ts'

/** The heading of flags about what is said while a gateway serves. */
export const OUTPUT = 'Log and reports'

/** The table `gateway.log`. */
export const LOG_OPTIONS: Readonly<Record<keyof LogOptions, Option>> = {
  level: {
    ...oneOf(LOG_LEVELS),
    see: 'cli.md#the-log',
    describe: 'The least important of what is said on stderr; requests are of info. Default: info.',
    group: OUTPUT,
    flag: {
      name: 'log-level',
      describe: 'Least important of what is said on stderr (or SIM_LOG_LEVEL)',
      otherwise: 'info',
      isCommon: true,
    },
  },
  format: {
    ...oneOf(LOG_FORMATS),
    see: 'cli.md#the-log',
    describe: 'Lines for people or for programs, or none. Default: pretty on a terminal, json elsewhere.',
    group: OUTPUT,
    flag: {
      name: 'log-format',
      describe: 'Lines for people or for programs; pretty on a terminal, json elsewhere if not given',
      isCommon: true,
    },
  },
  requestIds: {
    ...FLAG,
    see: 'cli.md#ids-of-requests',
    describe: 'Whether upstreams get an X-Request-Id with requests that came without one. Default: true.',
    group: OUTPUT,
    flag: {
      name: 'request-ids',
      describe: 'Give upstreams an X-Request-Id with requests that came without; --no-request-ids for none',
      otherwise: 'true',
    },
  },
}
