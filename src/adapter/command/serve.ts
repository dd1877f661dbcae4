import type { CommandModule } from 'yargs'
import { createLog } from '../../cli/log.ts'
import { serve } from '../../cli/serve.ts'
import { checkFlag } from '../../cli/flags.ts'
import { whole } from '../../pipeline/option.ts'
import { UsageInvalid } from '../../errors.ts'
import { createAdapter } from '../adapter.ts'
import type { AuthMode, AuthOptions } from '../auth.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import type { AdapterRequest } from '../request.ts'

interface ServeFlags {
  fixture: string | undefined
  port: number
  host: string
  auth: AuthMode
  token: string[]
  seed: number
  stateful: boolean
  strict: boolean
  consistency: 'reject' | 'continue'
  clock: 'still' | 'running'
  isolate: 'token' | undefined
}

/** `serve` */
export function serveCommand<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): CommandModule<object, ServeFlags> {
  const { environment, defaultPort } = definition
  return {
    command: 'serve',
    describe: 'Answer requests',
    builder: (yargs) =>
      yargs
        .option('fixture', {
          type: 'string',
          describe: 'YAML or JSON file to begin with',
          defaultDescription: 'the bundled one',
        })
        .option('port', {
          type: 'number',
          default: defaultPort,
          describe: 'Port to listen on; 0 picks a free one',
        })
        .option('host', {
          type: 'string',
          default: process.env[environment.host] ?? '127.0.0.1',
          describe: `Address to listen on (or ${environment.host})`,
        })
        .option('auth', {
          choices: ['disabled', 'optional', 'strict'] as const,
          default: 'optional' as const,
          describe: 'Whether bearer tokens are ignored, may be any, or must be declared',
        })
        .option('token', {
          type: 'string',
          array: true,
          default: [] as string[],
          describe: `Tokens of --auth strict, which may do everything (or ${environment.token})`,
        })
        .option('seed', { type: 'number', default: 0, describe: 'What ids and chance are made of' })
        .option('stateful', { type: 'boolean', default: true, describe: 'Keep what is written' })
        .option('strict', {
          type: 'boolean',
          default: false,
          describe: 'Answer 501 for what is not implemented, refuse unknown fields of fixtures',
        })
        .option('consistency', {
          choices: ['reject', 'continue'] as const,
          default: 'reject' as const,
          describe: 'What becomes of page tokens when what they page through has changed',
        })
        .option('clock', {
          choices: ['still', 'running'] as const,
          default: 'still' as const,
          describe: 'Whether time stands until it is moved, or goes on',
        })
        .option('isolate', {
          choices: ['token'] as const,
          describe: 'Give each bearer token a state of its own',
        })
        .check(({ port, seed }) => {
          checkFlag('port', port, whole(0, 65_535))
          checkFlag('seed', seed, whole())
          return true
        })
        .example('$0 serve', `Serve the bundled fixture on port ${defaultPort}`)
        .example('$0 serve --fixture data.yaml --port 0', 'Serve a file on a free port'),
    async handler({ host, port, token, auth, ...config }) {
      const log = createLog()
      const adapter = createAdapter(definition, {
        ...Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)),
        auth: authOf(auth, [...token, ...textsOf(process.env[environment.token])], environment.token),
        onError: (error: unknown, { method, url }: AdapterRequest) => log.error(error, `${method} ${url}`),
      } as Config)
      const web = adapter.asWebApp()
      web.addHook('onClose', async () => adapter.close())
      await serve(web, { host, port })
    },
  }
}

function authOf(mode: AuthMode, tokens: readonly string[], variable: string): AuthOptions {
  if (mode === 'strict' && tokens.length === 0)
    throw new UsageInvalid(`--auth strict admits nobody without a token: name one by --token or ${variable}`)
  return { mode, tokens: tokens.map((token) => ({ token })) }
}

function textsOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [text]
}
