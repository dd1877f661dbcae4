import type { JSX } from 'preact'

/** One line of a chart; a point that is missing leaves a gap. */
export interface Series {
  readonly label: string
  readonly kind: 'good' | 'warn' | 'bad' | 'accent' | 'soft'
  readonly points: readonly (number | undefined)[]
}

const [WIDTH, HEIGHT] = [600, 120]

/** Figures over time as lines; their last values stand beside as text. */
export function Chart({
  title,
  series,
  most,
  textOf,
}: {
  readonly title: string
  readonly series: readonly Series[]
  /** How many points fit. */
  readonly most: number
  readonly textOf: (value: number) => string
}): JSX.Element {
  const top = Math.max(...series.flatMap(({ points }) => points.map((each) => each ?? 0)), 0.001)
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong> <span class="soft">up to {textOf(top)}</span>
      </figcaption>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[0.25, 0.5, 0.75].map((share) => (
          <line key={share} class="grid" x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} />
        ))}
        {series.map(({ label, kind, points }, index) => (
          <path key={label} class={`line ${kind} dash${index}`} d={pathOf(points, most, top)} />
        ))}
      </svg>
      <ul class="legend plain">
        {series.map(({ label, kind, points }, index) => {
          const last = points.at(-1)
          return (
            <li key={label}>
              <svg class="swatch" viewBox="0 0 24 4" aria-hidden="true">
                <path class={`line ${kind} dash${index}`} d="M0 2H24" />
              </svg>
              {label}: {last === undefined ? 'none' : textOf(last)}
            </li>
          )
        })}
      </ul>
    </figure>
  )
}

function pathOf(points: readonly (number | undefined)[], most: number, top: number): string {
  let path = ''
  let isDown = false
  points.forEach((value, index) => {
    if (value === undefined) {
      isDown = false
      return
    }
    const x = ((most - points.length + index) / Math.max(1, most - 1)) * WIDTH
    const y = HEIGHT - 3 - (value / top) * (HEIGHT - 6)
    path += `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    isDown = true
  })
  return path
}
