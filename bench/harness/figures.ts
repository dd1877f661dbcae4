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

/** What has to be reached: a ratio of at least or at most so much, or at most so much more in the unit of the row. */
export type Target = { readonly least: number } | { readonly most: number } | { readonly mostMore: number }

/** One line of the table: what was compared, and what came of it. */
export interface Row {
  readonly work: string
  readonly contender: string
  /** Ours, and theirs, in `unit`. */
  readonly ours: Figure
  readonly theirs: Figure
  readonly unit: string
  readonly ratio: number
  readonly target?: Target
  /** Why there are no figures. */
  readonly failure?: string
}

/** The figures of two contenders as a line of the table. */
export function rowOf(row: Omit<Row, 'ratio'>): Row {
  return { ...row, ratio: row.ours.median / row.theirs.median }
}

/** Whether a row reached its target; undefined where it has none, or no figures. */
export function isMet(row: Row): boolean | undefined {
  const { ratio, target, failure } = row
  if (target === undefined || failure !== undefined || Number.isNaN(ratio)) return undefined
  if ('mostMore' in target) return moreOf(row) <= target.mostMore
  return 'least' in target ? ratio >= target.least : ratio <= target.most
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

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    row.failure === undefined
      ? [
          row.work,
          textOf(row.ours, row.unit),
          row.contender,
          textOf(row.theirs, row.unit),
          ratioText(row),
          targetText(row),
        ]
      : [row.work, '', row.contender, reasonText(row.failure), '', targetText(row)],
  )
  return [
    '| Work | sim | compared with | it | ratio | target |',
    '|---|---|---|---|---|---|',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n')
}

function textOf({ median: middle, min, max }: Figure, unit: string): string {
  const digits = middle < 10 ? 2 : middle < 1000 ? 1 : 0
  return `${middle.toFixed(digits)} ${unit} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}

const MOST_REASON = 100

function reasonText(failure: string): string {
  const [reason = ''] = failure.replaceAll('|', '\\|').split('\n')
  return reason.length > MOST_REASON ? `${reason.slice(0, MOST_REASON)}…` : reason
}

function ratioText(row: Row): string {
  const met = isMet(row)
  const text = row.target !== undefined && 'mostMore' in row.target ? moreText(row) : row.ratio.toFixed(2)
  return `${text}${met === undefined ? '' : met ? ' ✓' : ' ✗'}`
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
  if ('mostMore' in target) return `≤ +${target.mostMore} ${unit}`
  return 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`
}
