import { compareTexts } from '../../../grouping.ts'

export type Labels = Readonly<Record<string, string>>

/** The types that metrics may have, as the text format has them in lower case. */
export type FamilyType = 'COUNTER' | 'GAUGE' | 'SUMMARY' | 'HISTOGRAM' | 'UNTYPED'

/** One metric with its labels; numbers are as Go writes them, as in the answers of `/api/v1/metrics`. */
export interface Metric {
  readonly labels: Labels
  readonly value?: string
  readonly buckets?: Labels
  readonly quantiles?: Labels
  readonly count?: string
  readonly sum?: string
}

/** The metrics of a name. */
export interface Family {
  readonly type: FamilyType
  readonly help?: string
  readonly metrics: readonly Metric[]
}

/** Families by their names. */
export type Families = ReadonlyMap<string, Family>

/** A number as Go writes it with as few digits as distinguish it from all others. */
export function formatGo(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < MAX_POWER) return Object.is(value, -0) ? '-0' : String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** From where on numbers have an exponent. */
const MAX_POWER = 6

/** Families in the text format, in the order of their names. */
export function writeFamilies(families: Families): string {
  return [...families]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([name, { type, help, metrics }]) => [
      ...(help === undefined ? [] : [`# HELP ${name} ${escaped(help)}`]),
      `# TYPE ${name} ${type.toLowerCase()}`,
      ...metrics.toSorted(compareMetrics).flatMap((metric) => linesOf(name, metric)),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

// Those with fewer labels are first.
function compareMetrics({ labels: a }: Metric, { labels: b }: Metric): number {
  const [own, others] = [sorted(a), sorted(b)]
  if (own.length !== others.length) return own.length - others.length
  const at = own.findIndex(([, value], index) => value !== others[index]?.[1])
  return at === -1 ? 0 : compareTexts(own[at]?.[1] ?? '', others[at]?.[1] ?? '')
}

function linesOf(name: string, { labels, value, buckets, quantiles, count, sum }: Metric): readonly string[] {
  const line = (suffix: string, number: string, own: readonly (readonly [string, string])[] = []): string => {
    const shown = [...sorted(labels), ...own].map(
      ([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`,
    )
    return `${name}${suffix}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${number}`
  }
  const parts = buckets ?? quantiles
  if (parts === undefined) return [line('', value ?? '0')]
  const [suffix, label] = buckets === undefined ? ['', 'quantile'] : ['_bucket', 'le']
  return [
    ...Object.entries(parts)
      .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
      .map(([at, number]) => line(suffix, number, [[label, at]])),
    line('_sum', sum ?? '0'),
    line('_count', count ?? '0'),
  ]
}

/** Labels in the order of their names. */
export function sorted(labels: Labels): readonly (readonly [string, string])[] {
  return Object.entries(labels).toSorted(([a], [b]) => compareTexts(a, b))
}

/** What a text such as `1e3` or `+Inf` says. */
export function numberOf(text: string): number {
  const [, sign, special] = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text) ?? []
  if (special === undefined) return Number(text)
  return special.toLowerCase() === 'nan' ? NaN : sign === '-' ? -Infinity : Infinity
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
