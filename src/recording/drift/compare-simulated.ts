import { isObject } from '../../engine/schema/schema.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { canonicalText } from '../../engine/random.ts'
import { essenceOf } from '../../media-type.ts'
import { finding, shown, type Finding } from '../../shape/finding.ts'
import { schemaOfValues } from '../../shape/observed-schema.ts'
import { readValue } from '../../shape/read-value.ts'
import { isHidden } from '../redaction/secrets.ts'
import { hasBody, type Sample } from '../inference/sample.ts'
import { compareWith, type ExpectedRoute } from './baseline.ts'
import { compareSample } from './compare-sample.ts'

/**
 * How an upstream's answer differs from the one that was simulated in its place: by its status, its media type and its
 * shape, which the description has where there is one, and the simulated answer where there is none.
 * @param values JSON pointers to values that are to be the same; `*` is any item or member
 */
export function compareWithSimulated(
  real: Sample,
  simulated: Sample,
  expected: ExpectedRoute | undefined,
  values: readonly string[] = [],
): readonly Finding[] {
  const [was, is] = [simulated.status, real.status]
  if (was === 304 || is === 304) return []
  if (was !== is) return [finding('status changed', '', String(was), String(is), 'status')]
  const [type, other] = [essenceOf(simulated.mimeType), essenceOf(real.mimeType)]
  if (hasBody(simulated) && hasBody(real) && type !== other)
    return [finding('content type changed', '/content-type', type, other, 'header')]
  const answer = expected?.answer(is)
  const found =
    answer?.compare === undefined
      ? ownShape(real, simulated)
      : compareSample(real, expected).filter(({ part }) => part === 'body' || part === 'header')
  return [...found, ...values.flatMap((pointer) => compareAt(pointer, real, simulated))]
}

// Where nothing is described, what is simulated is all that is known.
function ownShape(real: Sample, simulated: Sample): readonly Finding[] {
  const [value, other] = [simulated, real].map(({ response, mimeType }) => readValue(response, mimeType))
  if (value === undefined || other === undefined || typeof value === 'string') return []
  return compareWith(schemaOfValues([value], 'comparison'))(other)
}

function compareAt(pointer: string, real: Sample, simulated: Sample): readonly Finding[] {
  const keys = readPointer(pointer)
  const others = new Map(valuesAt(simulated.response, keys, ''))
  return valuesAt(real.response, keys, '').flatMap(([place, value]) => {
    if (!others.has(place)) return []
    const other = others.get(place)
    if (canonicalText(value) === canonicalText(other) || [value, other].some(isPseudonym)) return []
    return [finding('value changed', pointer, shown(other), shown(value))]
  })
}

function isPseudonym(value: unknown): boolean {
  return typeof value === 'string' && isHidden(value)
}

function valuesAt(value: unknown, [key, ...rest]: readonly string[], place: string): [string, unknown][] {
  if (key === undefined) return [[place, value]]
  if (value === null || typeof value !== 'object') return []
  const members = Array.isArray(value) || isObject(value) ? Object.entries(value) : []
  return members
    .filter(([name]) => key === '*' || key === name)
    .flatMap(([name, each]) => valuesAt(each, rest, pointerBelow(place, name)))
}
