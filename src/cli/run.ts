import type { CommandModule } from 'yargs'
import { loadTarget } from '../declare/load-target.ts'
import { createGateway } from '../gateway/gateway.ts'
import { createLog } from './log.ts'
import { withServeOptions, type ServeOptions } from './options.ts'
import { printSeed } from './print-seed.ts'
import { serve } from './serve.ts'

interface RunOptions extends ServeOptions {
  target: string
  upstream: string | undefined
}

/** `sim run <target>` */
export const run: CommandModule<object, RunOptions> = {
  command: 'run <target>',
  describe: 'Serve declared routes',
  builder: (yargs) =>
    withServeOptions(yargs, 8000)
      .positional('target', {
        type: 'string',
        demandOption: true,
        describe: 'module[:attr] of a SimAPI or Fastify app (.ts, .js, .mjs)',
      })
      .option('upstream', { type: 'string', describe: 'Forward what is not declared to this base URL' })
      .example('$0 run app.ts', 'Serve the only app of app.ts on port 8000')
      .example('$0 run app.ts:api --port 0 --seed 42', 'Choose the app, a free port and a seed'),
  async handler({ target, upstream, seed, host, port }) {
    const loaded = await loadTarget(target)
    if (loaded.kind === 'web') return serve(loaded.app, { host, port })
    const options = loaded.api.gatewayOptions({ seed })
    const app = createGateway({ ...options, upstream, logger: createLog() })
    await serve(app, { host, port })
    printSeed(options.engine.seed)
  },
}
