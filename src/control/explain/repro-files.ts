import type { ReproData } from './repro-data.ts'

/** The script of the folder. */
export const SCRIPT = `// Answers the request of repro.json again, and compares: exits with 0 for the same bytes, with 1 for others.
import { runRepro } from 'sim-gateway'

const { body, same, summary } = await runRepro(import.meta.dirname)
process.stdout.write(body)
process.stderr.write(\`\\n\${summary}\\n\`)
process.exitCode = same ? 0 : 1
`

/** What the folder says of itself. */
export function readmeOf(
  { sim, id, request, answer, app, state }: ReproData,
  notes: readonly string[],
): string {
  return `# Request ${id}: ${request.method} ${request.url}

Answers ${answer.status}. Run it where sim-gateway ${sim} and the packages that the app imports are installed:

    node repro.mjs

${notes.map((note) => `- ${note}\n`).join('')}
- \`repro.json\`: the request, the seed, the clock, the counters, the chaos rules${state.store === undefined ? '' : ', the store'} as they were when it came, and the answer.
- \`app/\`: the files that it was served from (${app.targets.map(({ target }) => target).join(', ')}), as they are.
- Secrets in the request and in the store are hidden as they are in recordings. ${REPRO_AUTH}
`
}

const REPRO_AUTH = 'Whoever was let in by credentials is let in without them.'
