/** One figure of the gateway's metrics. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format of Prometheus. */
export function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === '') return []
    const pairs = [...labels.matchAll(/(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', quoted = '']) => [
        key,
        quoted.replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each)),
      ],
    )
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }]
  })
}

/** The sum of a metric, of the samples that fit. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample['labels']) => boolean = () => true,
): number {
  return samples.reduce((sum, each) => (each.name === name && fits(each.labels) ? sum + each.value : sum), 0)
}

/**
 * The time that a share of the requests between two readings took no longer than, in milliseconds; by the bounds of the
 * histogram, and so roughly. Nothing where there were none.
 */
export function quantileMs(
  before: readonly Sample[],
  now: readonly Sample[],
  share: number,
): number | undefined {
  const bounds = [
    ...new Set(now.filter(({ name }) => name === BUCKET).map(({ labels }) => labels['le'] ?? '')),
  ]
  const counts = bounds
    .map((le) => ({
      bound: le === '+Inf' ? Infinity : Number(le),
      count:
        sumOf(now, BUCKET, (labels) => labels['le'] === le) -
        sumOf(before, BUCKET, (labels) => labels['le'] === le),
    }))
    .toSorted((a, b) => a.bound - b.bound)
  const total = counts.at(-1)?.count ?? 0
  if (total <= 0) return undefined
  let [low, below] = [0, 0]
  for (const { bound, count } of counts) {
    if (count >= share * total)
      return bound === Infinity
        ? low * 1000
        : (low + ((share * total - below) / (count - below)) * (bound - low)) * 1000
    ;[low, below] = [bound, count]
  }
  return undefined
}

const BUCKET = 'sim_request_duration_seconds_bucket'
