import { readFileSync } from 'node:fs'
import { RunUnreadable, UsageInvalid } from '../errors.ts'
import { jsonText, writeFileWhole } from '../loaders/write-file.ts'
import { TEXT, TEXTS, type Option } from '../pipeline/option.ts'
import { reportIn } from '../resilience/read-run.ts'
import { REPORT_WRITERS, reportText } from '../resilience/report-files.ts'
import type { ChaosReport } from '../resilience/report-form.ts'
import { JSON_FLAG, type Command, type Given } from './command.ts'
import { readFlags } from './flags.ts'

interface ReportFlags {
  readonly output: readonly string[]
  readonly session: string | undefined
  readonly adminToken: string | undefined
  readonly json: boolean | undefined
}

const FLAGS: Readonly<Record<keyof ReportFlags, Option>> = {
  output: {
    ...TEXTS,
    flag: {
      name: 'output',
      alias: 'o',
      describe: 'Write it to this file: .json, .xml (JUnit) or .html',
      requiresArg: true,
    },
  },
  session: {
    ...TEXT,
    flag: { name: 'session', describe: 'The session of this key, or * for all of them', requiresArg: true },
  },
  adminToken: {
    ...TEXT,
    secret: true,
    flag: {
      name: 'admin-token',
      describe: 'The token of the control plane; SIM_ADMIN_TOKEN otherwise',
      requiresArg: true,
    },
  },
  json: JSON_FLAG,
}

/** `sim chaos report <source>` */
export const report: Command = {
  command: 'report <source>',
  describe: 'Say what chaos did, and how clients took it: retries, waits, storms, headers that they heed',
  positionals: {
    source: {
      ...TEXT,
      describe: 'URL of a running gateway, or a file: requests of a journal, or a report as .json',
    },
  },
  flags: [FLAGS],
  examples: [
    ['$0 chaos report http://127.0.0.1:8080', 'Of what a running gateway has seen'],
    ['$0 chaos report http://127.0.0.1:8080 -o report.html -o report.xml', 'As a page, and for a CI system'],
    ['$0 chaos report journal.json --json', 'Of the requests of a journal that were saved'],
  ],
  async run({ source, ...given }: Given & { readonly source: string }) {
    const flags = readFlags<ReportFlags>(given, FLAGS)
    const files = flags.output.map((file) => ({ file, write: writerOf(file) }))
    const found = /^https?:\/\//i.test(source)
      ? await fetchReport(source, flags)
      : reportIn(readSource(source), source)
    for (const { file, write } of files) writeFileWhole(file, write(found))
    process.stdout.write(flags.json === true ? jsonText(found) : reportText(found))
  },
}

function writerOf(file: string): (typeof REPORT_WRITERS)[number][1] {
  const [, write] = REPORT_WRITERS.find(([ending]) => ending.test(file)) ?? []
  if (write !== undefined) return write
  throw new UsageInvalid(`--output must end in .json, .xml (JUnit) or .html, not '${file}'`)
}

function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RunUnreadable(`Cannot read ${file}: ${(error as Error).message}`, { cause: error })
  }
}

async function fetchReport(
  source: string,
  { session, adminToken = process.env['SIM_ADMIN_TOKEN'] }: ReportFlags,
): Promise<ChaosReport> {
  const url = new URL(`${source.replace(/(?<!\/)\/+$/, '')}/__sim/chaos/report`)
  if (session !== undefined) url.searchParams.set('session', session)
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    throw new RunUnreadable(`No answer from ${source}. Is the gateway running?`, { cause: error })
  })
  const text = await response.text()
  if (response.ok) return reportIn(text, source)
  throw new RunUnreadable(`${source} answered ${response.status}: ${reasonIn(text)}`)
}

function reasonIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown }
    return typeof detail === 'string' ? detail : 'this may not be a gateway, or be an older one'
  } catch {
    return 'this may not be a gateway, or be an older one'
  }
}
