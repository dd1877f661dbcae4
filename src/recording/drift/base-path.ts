import type { Asked, Baseline } from './baseline.ts'
import type { DriftReport } from './drift-log.ts'

const MAX_SEGMENTS = 4

/** The same for requests whose paths have segments before those that are known; others are not known. */
export function below(basePath: string, baseline: Baseline): Baseline {
  const before = basePath.split('/').filter((segment) => segment !== '')
  if (before.length === 0) return baseline
  return (request) => {
    const { segments } = request
    const isBelow = before.every((segment, index) => segments[index] === segment)
    return isBelow ? baseline({ ...request, segments: segments.slice(before.length) }) : undefined
  }
}

/** The path that requests would have to be without to be known, where that is the same for most that are not. */
export function missingBasePath({ routes }: DriftReport, baseline: Baseline): string | undefined {
  const unknown = routes.flatMap(({ drifts }) =>
    drifts.flatMap(({ change, example }) =>
      change === 'path not declared' ? [askedIn(example.request)] : [],
    ),
  )
  const found = unknown.flatMap((asked) => basePathOf(asked, baseline) ?? [])
  const [first] = found
  return found.length * 2 > unknown.length && found.every((each) => each === first) ? first : undefined
}

function askedIn(request: string): Asked {
  const [method = '', ...path] = request.split(' ')
  return { method, origin: 'http://any', segments: path.join(' ').split('/').slice(1) }
}

function basePathOf(asked: Asked, baseline: Baseline): string | undefined {
  const lengths = Array.from(
    { length: Math.min(MAX_SEGMENTS, asked.segments.length - 1) },
    (_, index) => index + 1,
  )
  const length = lengths.find(
    (count) => baseline({ ...asked, segments: asked.segments.slice(count) }) !== undefined,
  )
  return length === undefined ? undefined : `/${asked.segments.slice(0, length).join('/')}`
}
