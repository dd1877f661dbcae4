import { script, serverFile, simOf } from '../harness/commands.ts'
import type { LoadRequest } from '../harness/load.ts'
import type { ServerCommand } from '../harness/server.ts'
import type { Work } from '../harness/work.ts'

/** Has sim generate each answer anew. */
export const NEVER_KEPT: readonly string[] = ['--answer-cache-bytes', '0']

/** A work that a Fastify app does too: `bench/servers` has both sides under the work's name. */
export function againstFastify(
  name: string,
  describe: string,
  request: LoadRequest,
  atLeast: number,
  check: Work['check'],
): Work {
  return {
    ...{ name, describe, request, check, target: { atLeast } },
    ours: (build, label) =>
      withRow(simOf(build, label, 'run', serverFile('sim-options.mjs'), ...NEVER_KEPT), name),
    theirs: () => withRow(script('Fastify', 'bare-options.mjs'), name),
  }
}

/** Sets which option the servers of `bench/servers` have. */
export function withRow(command: ServerCommand, row: string): ServerCommand {
  return { ...command, env: { ...command.env, BENCH_ROW: row } }
}
