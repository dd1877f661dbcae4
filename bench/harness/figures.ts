/** The middle of some figures, and how far they go. */
export interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** What some measurements come to. */
export function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/**
 * The median of some numbers, and an interval that holds the true one with at least 95 % where there are six numbers or
 * more: by the sign test, which takes nothing for granted about how they are spread.
 */
export function intervalOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  let [left, outside, chance] = [0, 0, 0.5 ** values.length]
  // Moves both ends inwards for as long as what is left outside stays below one in forty on each side.
  for (let at = 0; at < values.length / 2; at++) {
    outside += chance
    if (outside > 0.025) break
    left = at
    chance *= (values.length - at) / (at + 1)
  }
  return {
    median: median(values),
    min: sorted[left] ?? Number.NaN,
    max: sorted.at(-1 - left) ?? Number.NaN,
  }
}

/** Where a ratio has to be, or at most so much more in the unit of the row. */
export type Target =
  { readonly atLeast: number } | { readonly atMost: number } | { readonly atMostMore: number }

/** One line of the table: what was compared, and what came of it. */
export interface Row {
  readonly work: string
  readonly contender: string
  /** Ours, and theirs, in `unit`. */
  readonly ours: Figure
  readonly theirs: Figure
  readonly unit: string
  /** CPU of the servers for one request, in microseconds. */
  readonly cpu?: { readonly ours: Figure; readonly theirs: Figure }
  readonly ratio: number
  /** The ratio's interval, where it is of pairs of rounds and of CPU. */
  readonly interval?: Figure
  readonly target?: Target
  /** Why there are no figures. */
  readonly failure?: string
}

/** The figures of two contenders as a line of the table. */
export function rowOf(row: Omit<Row, 'ratio'>): Row {
  return { ...row, ratio: row.interval?.median ?? row.ours.median / row.theirs.median }
}

/** Whether a row reached its target; undefined where it has none, or no figures. */
export function isMet(row: Row): boolean | undefined {
  const { ratio, target, failure } = row
  if (target === undefined || failure !== undefined || Number.isNaN(ratio)) return undefined
  if ('atMostMore' in target) return moreOf(row) <= target.atMostMore
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost
}

/** A row of what could not be measured. */
export function failedRow(work: string, failure: string): Row {
  const none = figureOf([])
  return { ...rowOf({ work, contender: '', unit: '', ours: none, theirs: none }), failure }
}

/** How many targets were reached, of all there are: of those, too, of whose contenders there are no figures. */
export function summaryOf(rows: readonly Row[]): string {
  const all = rows.filter(({ target, failure }) => target !== undefined || failure !== undefined).map(isMet)
  const met = all.filter((each) => each === true).length
  const missing = all.filter((each) => each === undefined).length
  return `${met} of ${all.length} targets reached${missing === 0 ? '' : `, ${missing} without figures`}`
}

/** Lines of a Markdown table. */
export function markdownOf(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const text = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [text(titles), `|${'---|'.repeat(titles.length)}`, ...lines.map(text), ''].join('\n')
}

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  return markdownOf(
    ['Work', 'sim', 'CPU', 'compared with', 'it', 'CPU', 'ratio', 'target'],
    rows.map((row) =>
      row.failure === undefined
        ? [
            row.work,
            textOf(row.ours, row.unit),
            cpuText(row.cpu?.ours),
            row.contender,
            textOf(row.theirs, row.unit),
            cpuText(row.cpu?.theirs),
            ratioText(row),
            targetText(row),
          ]
        : [row.work, '', '', row.contender, reasonText(row.failure), '', '', targetText(row)],
    ),
  )
}

function textOf({ median: middle, min, max }: Figure, unit: string): string {
  const digits = middle < 10 ? 2 : middle < 1000 ? 1 : 0
  return `${middle.toFixed(digits)} ${unit} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}

function cpuText(cpu: Figure | undefined): string {
  return cpu === undefined || Number.isNaN(cpu.median) ? '' : `${cpu.median.toFixed(1)} µs`
}

const MAX_REASON = 100

function reasonText(failure: string): string {
  const [reason = ''] = failure.replaceAll('|', '\\|').split('\n')
  return reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason
}

function ratioText(row: Row): string {
  const met = isMet(row)
  return `${valueText(row)}${met === undefined ? '' : met ? ' ✓' : ' ✗'}`
}

function valueText(row: Row): string {
  const { target, interval, ratio } = row
  if (target !== undefined && 'atMostMore' in target) return moreText(row)
  return interval === undefined
    ? ratio.toFixed(2)
    : `${ratio.toFixed(2)} of CPU (${interval.min.toFixed(2)} to ${interval.max.toFixed(2)})`
}

function moreText(row: Row): string {
  const more = moreOf(row)
  return `${more < 0 ? '' : '+'}${more.toFixed(1)} ${row.unit}`
}

function moreOf({ ours, theirs }: Row): number {
  return ours.median - theirs.median
}

function targetText({ target, unit }: Row): string {
  if (target === undefined) return ''
  if ('atMostMore' in target) return `≤ +${target.atMostMore} ${unit}`
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
}
