import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from './sample.ts'

type Answered = Pick<Sample, 'method' | 'status' | 'response' | 'segments'>
interface Place {
  readonly answer: readonly string[]
  readonly id: readonly string[]
}

/**
 * Where one answer has its item: where most answers of the collection have theirs, or bare where those enclose it, or in the
 * only object of an answer that else has plain values, such as `{ deleted: true, previous: { id: 7 } }`.
 */
export function answerIn({ method, status, response, segments }: Answered, place: Place): readonly string[] {
  const { answer, id } = place
  if (status >= 300 || !isObject(response) || id.length === 0) return answer
  const holdsId = (names: readonly string[]): boolean => isId(memberAt(response, [...names, ...id]))
  if (holdsId(answer)) return answer
  if (holdsId([])) return []
  const [[name, inner] = ['', undefined], ...others] = Object.entries(response).filter(
    ([, value]) => typeof value === 'object' && value !== null,
  )
  if (!isObject(inner) || others.length > 0 || !holdsId([name])) return answer
  const isNamed = String(memberAt(inner, id)) === segments.at(-1)
  return isNamed || method === 'POST' ? [name] : answer
}

/** Where the answers of a route have their items, if all have them at one place; else where those of its collection do. */
export function answerOf(
  samples: readonly Answered[],
  status: number | undefined,
  place: Place,
): readonly string[] {
  const found = samples
    .filter((sample) => sample.status === status && isObject(sample.response))
    .map((sample) => answerIn(sample, place))
  const [first] = found
  return first !== undefined && found.every((each) => each.join('/') === first.join('/'))
    ? first
    : place.answer
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
