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

/** One line of the table: what was compared, and what came of it. */
export interface Row {
  readonly work: string
  readonly contender: string
  /** Ours, and theirs, in `unit`. */
  readonly ours: Figure
  readonly theirs: Figure
  readonly unit: string
  readonly ratio: number
  /** What the ratio has to be: at least, or at most, this. */
  readonly target?: { readonly least: number } | { readonly most: number }
  /** Why there are no figures. */
  readonly failure?: string
}

/** The figures of two contenders as a line of the table. */
export function rowOf(row: Omit<Row, 'ratio'>): Row {
  return { ...row, ratio: row.ours.median / row.theirs.median }
}

/** Whether a row reached its target; undefined where it has none, or no figures. */
export function isMet({ ratio, target }: Row): boolean | undefined {
  if (target === undefined || Number.isNaN(ratio)) return undefined
  return 'least' in target ? ratio >= target.least : ratio <= target.most
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
      : [row.work, '', row.contender, row.failure.split('\n')[0]?.slice(0, 80) ?? '', '', targetText(row)],
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

function ratioText(row: Row): string {
  const met = isMet(row)
  return `${row.ratio.toFixed(2)}${met === undefined ? '' : met ? ' ✓' : ' ✗'}`
}

function targetText({ target }: Row): string {
  if (target === undefined) return ''
  return 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`
}
