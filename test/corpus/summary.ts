import { addTo } from '../../src/grouping.ts'
import type { Report } from './check-description.ts'
import { FAULTS } from './validator.ts'

/** What the reports of many descriptions say together. */
export interface Summary {
  readonly descriptions: number
  readonly refused: readonly Report[]
  readonly operations: number
  readonly unasked: number
  readonly answers: number
  readonly wrong: number
  /** Those that are wrong where nothing would be right. */
  readonly impossible: number
  /** The share of answers that are as described, of all and of those that can be. */
  readonly share: number
  readonly shareOfPossible: number
  readonly loadMs: { readonly median: number; readonly p99: number }
}

export function summarize(reports: readonly Report[]): Summary {
  const sum = (of: (report: Report) => number): number => reports.reduce((all, each) => all + of(each), 0)
  const [answers, wrong] = [sum((each) => each.answers), sum((each) => each.wrong.length)]
  const impossible = sum(
    (each) => each.wrong.filter(({ detail }) => FAULTS.some((fault) => detail.endsWith(fault))).length,
  )
  const shareOf = (all: number): number => (all === 0 ? 1 : (answers - wrong) / all)
  const times = reports.map(({ loadMs }) => loadMs).toSorted((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return {
    descriptions: reports.length,
    refused: reports.filter(({ refused }) => refused !== undefined),
    operations: sum((each) => each.operations),
    unasked: sum((each) => Object.keys(each.unasked).length),
    answers,
    wrong,
    impossible,
    share: shareOf(answers),
    shareOfPossible: shareOf(answers - impossible),
    loadMs: { median: at(0.5), p99: at(0.99) },
  }
}

/** The summary as text, then what is wrong by its cause: in how many answers and descriptions, and one of them. */
export function textOfSummary(reports: readonly Report[], nameOf: (file: string) => string): string {
  const { descriptions, refused, operations, unasked, answers, wrong, impossible, loadMs, ...shares } =
    summarize(reports)
  const percent = (share: number): string => `${(share * 100).toFixed(3)} %`
  const lines = [
    `${descriptions} descriptions, ${refused.length} not served; loaded in ${loadMs.median.toFixed(1)} ms (median), ${loadMs.p99.toFixed(0)} ms (p99)`,
    `${operations} operations requested, ${unasked} cannot be; ${answers} answers, ${wrong} not as described, of which ${impossible} cannot be; ${percent(shares.share)} are valid, ${percent(shares.shareOfPossible)} of those that can be`,
    ...refused.map(({ file, refused: why }) => `  not served: ${nameOf(file)}: ${why?.slice(0, 300)}`),
  ]
  const cannot = reports.flatMap(({ file, unasked: found }) =>
    Object.entries(found).map(([operation, why]) => ({
      file,
      operation,
      cause: why.replace(/^.*?: /, '').slice(0, 60),
      detail: why,
    })),
  )
  const failed = reports.flatMap(({ file, wrong: found }) => found.map((each) => ({ file, ...each })))
  return [
    ...lines,
    ...grouped('cannot be requested', cannot, nameOf),
    ...grouped('not as described', failed, nameOf),
  ].join('\n')
}

interface Found {
  readonly file: string
  readonly operation: string
  readonly cause: string
  readonly detail: string
  readonly rule?: string
}

function grouped(title: string, found: readonly Found[], nameOf: (file: string) => string): string[] {
  const counts = new Map<string, number>()
  for (const { cause } of found) addTo(counts, cause)
  const causes = [...counts].toSorted(([, a], [, b]) => b - a)
  return causes.flatMap(([cause, count]) => {
    const own = found.filter((each) => each.cause === cause)
    const files = new Set(own.map(({ file }) => file))
    const [{ file, operation, rule = '', detail } = {} as Found] = own
    return [
      `${String(count).padStart(6)} in ${files.size}, ${title}: ${cause}`,
      `       ${nameOf(file)} ${operation} ${rule}: ${detail.replaceAll(/\s+/g, ' ').slice(0, 400)}`,
    ]
  })
}
