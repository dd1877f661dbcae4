import { printable } from '../http/printable.ts'
import { OUTPUT } from '../options/log-options.ts'
import { TEXTS, type Option } from '../pipeline/option.ts'
import type { RequestLine } from '../pipeline/request-line.ts'
import type { ChaosReport } from '../resilience/report-form.ts'
import { UsageInvalid } from '../errors.ts'
import { jsonText, writeFileWhole } from '../loaders/write-file.ts'
import { readFlags } from './flags.ts'
import { printFailure } from './print.ts'
import { counted } from './text.ts'

interface ReportFlags {
  readonly report: readonly string[] | undefined
}

/** The flag of a file for what a run has seen. */
export const REPORT_FLAGS: Readonly<Record<keyof ReportFlags, Option>> = {
  report: {
    ...TEXTS,
    group: OUTPUT,
    see: 'around-a-command.md#the-report',
    flag: {
      name: 'report',
      describe:
        'Write what came to this file when the server ends: all as .json, how clients took chaos as .xml (JUnit) or .html',
      requiresArg: true,
      isCommon: true,
    },
  },
}

/** Requests of one kind: a method, and the route or the host and path. */
export interface SeenRequests {
  readonly request: string
  readonly count: number
  /** How often each answered. */
  readonly by: Readonly<Record<string, number>>
  /** How often each status was given; `none` where the connection ended without one. */
  readonly statuses: Readonly<Record<string, number>>
}

/** What came, who answered, what nobody could answer, and what chaos did. */
export interface RequestSummary {
  readonly total: number
  readonly by: Readonly<Record<string, number>>
  readonly requests: readonly SeenRequests[]
  /** Kinds of requests beyond those that are kept apart. */
  readonly others: number
  readonly missed: readonly { readonly request: string; readonly error: string; readonly count: number }[]
  readonly injected: Readonly<Record<string, number>>
  readonly errors: Readonly<Record<string, number>>
}

/** What a run is found to be, by the names of its sections. */
export interface RunReport {
  note(line: RequestLine): void
  /** Adds a section, such as `chaos`. A later one of the same name takes its place. */
  add(section: string, value: unknown): void
  summary(): RequestSummary
  /** Every section, `requests` among them. */
  sections(): Readonly<Record<string, unknown>>
}

const MAX_KINDS = 500
const MAX_MISSED = 50
const MISSED = new Set(['SIM_ROUTE_NOT_FOUND', 'SIM_TARGET_MISSING', 'SIM_NOT_RECORDED'])

interface Kind {
  count: number
  readonly by: Map<string, number>
  readonly statuses: Map<string, number>
}

/** An empty report. */
export function createRunReport(): RunReport {
  const kinds = new Map<string, Kind>()
  const missed = new Map<string, { readonly request: string; readonly error: string; count: number }>()
  const [by, injected, errors] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const added = new Map<string, unknown>()
  let total = 0
  let others = 0
  const summary = (): RequestSummary => ({
    total,
    by: Object.fromEntries(by),
    requests: [...kinds].map(([request, kind]) => ({
      request,
      count: kind.count,
      by: Object.fromEntries(kind.by),
      statuses: Object.fromEntries(kind.statuses),
    })),
    others,
    missed: [...missed.values()],
    injected: Object.fromEntries(injected),
    errors: Object.fromEntries(errors),
  })
  return {
    note(line) {
      total++
      count(by, line.by)
      if (line.error !== undefined) count(errors, line.error)
      // A number of milliseconds is different each time.
      for (const each of line.chaos ?? []) count(injected, each.replace(/ \d+ ms$/, ''))
      if (line.by === 'fault' && line.chaos === undefined) count(injected, `status ${line.status ?? 'none'}`)
      const request = nameOf(line)
      if (line.error !== undefined && MISSED.has(line.error)) {
        const known = missed.get(request)
        if (known !== undefined) known.count++
        else if (missed.size < MAX_MISSED) missed.set(request, { request, error: line.error, count: 1 })
      }
      const kind = kinds.get(request) ?? { count: 0, by: new Map(), statuses: new Map() }
      if (kind.count === 0 && kinds.size >= MAX_KINDS) others++
      else kinds.set(request, kind)
      kind.count++
      count(kind.by, line.by)
      count(kind.statuses, String(line.status ?? 'none'))
    },
    add: (section, value) => void added.set(section, value),
    summary,
    sections: () => ({ ...Object.fromEntries(added), requests: summary() }),
  }
}

function nameOf({ method, host = '', path, route }: RequestLine): string {
  return route ?? `${method} ${host}${path.replace(/\?.*$/s, '')}`
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A file that the report is written to. */
export interface ReportFile {
  /** Whether it has all sections, and not `chaos` alone. */
  readonly isWhole: boolean
  /** Writes a report, or says why not. */
  write(report: RunReport): void
}

/** What flags say of where the report goes. @throws UsageInvalid, FileNotWritten */
export async function readReportFiles(given: object): Promise<readonly ReportFile[]> {
  const { report = [] } = readFlags<ReportFlags>(given, REPORT_FLAGS)
  return Promise.all(
    report.map(async (file) => {
      const isWhole = /\.json$/i.test(file)
      const textOf = isWhole ? wholeText : await chaosWriter(file)
      const write = (of: RunReport): void => writeFileWhole(file, textOf(of))
      // That it cannot be written is a matter of the start.
      write(createRunReport())
      return { isWhole, write: (of) => printFailure(() => write(of)) }
    }),
  )
}

function wholeText(report: RunReport): string {
  return jsonText(report.sections())
}

async function chaosWriter(file: string): Promise<(report: RunReport) => string> {
  const { REPORT_WRITERS } = await import('../resilience/report-files.ts')
  const [, text] = REPORT_WRITERS.find(([ending]) => ending.test(file)) ?? []
  if (text === undefined)
    throw new UsageInvalid(`--report must end in .json, .xml (JUnit) or .html, not '${printable(file)}'`)
  return (report) => {
    const { chaos, requests } = report.sections() as {
      readonly chaos?: ChaosReport
      requests: RequestSummary
    }
    return text(chaos ?? { injected: [], clients: [], requests: requests.total, dropped: 0 })
  }
}

const MAX_LINES = 20

/** The summary for people. */
export function summaryText({ total, by, requests, others, missed, injected }: RequestSummary): string {
  const most = requests.toSorted((one, other) => other.count - one.count)
  const more = others + most.slice(MAX_LINES).reduce((sum, each) => sum + each.count, 0)
  const lines = [
    `sim: ${counted(total, 'request')}${total === 0 ? '' : `, answered by: ${listOf(by)}`}`,
    ...most
      .slice(0, MAX_LINES)
      .map((each) => `  ${printable(each.request)}  ${listOf(each.by)}; status ${listOf(each.statuses)}`),
    ...(more > 0 ? [`  and ${counted(more, 'other request')}`] : []),
    ...missed.slice(0, MAX_LINES).map((each) => `  missed: ${printable(each.request)} (${each.error})`),
    ...(Object.keys(injected).length > 0 ? [`  injected: ${listOf(injected)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${name} × ${number}`)
    .join(', ')
}
