import type { Argv } from 'yargs'
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

/** Adds the command `serve`. */
export function addServe<State, Fixture, Config extends AdapterConfig>(
  cli: Argv,
  definition: AdapterDefinition<State, Fixture, Config>,
): void {
  const { environment, defaultPort } = definition
  cli.command(
    'serve',
    'Answer requests',
    (command) =>
      command
        .options({
          fixture: {
            type: 'string',
            describe: 'YAML or JSON file to begin with',
            defaultDescription: 'the bundled one',
          },
          port: {
            type: 'number',
            default: defaultPort,
            describe: 'Port to listen on; 0 picks a free one',
          },
          host: {
            type: 'string',
            default: process.env[environment.host] ?? '127.0.0.1',
            describe: `Address to listen on (or ${environment.host})`,
          },
          auth: {
            choices: ['disabled', 'optional', 'strict'] as const,
            default: 'optional' as const,
            describe: 'Whether bearer tokens are ignored, may be any, or must be declared',
          },
          token: {
            type: 'string',
            array: true,
            default: [] as string[],
            describe: `Tokens of --auth strict, which may do everything (or ${environment.token})`,
          },
          cors: {
            type: 'string',
            array: true,
            describe: 'Origins whose pages may read answers; any by default, none with --no-cors',
          },
          seed: { type: 'number', default: 0, describe: 'What ids and chance are made of' },
          stateful: { type: 'boolean', default: true, describe: 'Keep what is written' },
          strict: {
            type: 'boolean',
            default: false,
            describe: 'Answer 501 for what is not implemented, refuse unknown fields of fixtures',
          },
          consistency: {
            choices: ['reject', 'continue'] as const,
            default: 'reject' as const,
            describe: 'What becomes of page tokens when what they page through has changed',
          },
          clock: {
            choices: ['still', 'running'] as const,
            default: 'still' as const,
            describe: 'Whether time stands until it is moved, or goes on',
          },
          isolate: {
            choices: ['token'] as const,
            describe: 'Give each bearer token a state of its own',
          },
        })
        .check(({ port, seed }) => {
          checkFlag('port', port, whole(0, 65_535))
          checkFlag('seed', seed, whole())
          return true
        })
        .example('$0 serve', `Serve the bundled fixture on port ${defaultPort}`)
        .example('$0 serve --fixture data.yaml --port 0', 'Serve a file on a free port'),
    async ({ host, port, token, auth, cors, fixture, isolate, ...flags }) => {
      const log = createLog()
      const { seed, stateful, strict, consistency, clock } = flags
      const adapter = createAdapter(definition, {
        ...{ seed, stateful, strict, consistency, clock },
        ...(fixture !== undefined && { fixture }),
        ...(isolate !== undefined && { isolate }),
        ...(cors !== undefined && { cors: corsOf(cors) }),
        auth: authOf(auth, [...token, ...textsOf(process.env[environment.token])], environment.token),
        onError: (error: unknown, { method, url }: AdapterRequest) => log.error(error, `${method} ${url}`),
      } as unknown as Config)
      const web = adapter.asWebApp()
      web.addHook('onClose', async () => adapter.close())
      await serve(web, { host, port })
    },
  )
}

// yargs has a flag of texts that is negated as `false`, alone or in a list.
function corsOf(given: readonly unknown[] | false): boolean | readonly string[] {
  if (given === false || given.includes(false)) return false
  return given.length === 0 || given.map(String)
}

function authOf(mode: AuthMode, tokens: readonly string[], variable: string): AuthOptions {
  if (mode === 'strict' && tokens.length === 0)
    throw new UsageInvalid(`--auth strict admits nobody without a token: name one by --token or ${variable}`)
  return { mode, tokens: tokens.map((token) => ({ token })) }
}

function textsOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [text]
}
