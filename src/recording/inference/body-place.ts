import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from './sample.ts'

/**
 * Where bodies have the item that they write: where answers have it, or in the only member of all bodies, which the item
 * does not have.
 * @param answer the names that lead to the item in answers
 */
export function bodyPlace(samples: readonly Sample[], answer: readonly string[]): readonly string[] {
  const bodies = samples.flatMap(({ method, status, body }) =>
    method !== 'GET' && method !== 'DELETE' && status < 300 && isObject(body) ? [body] : [],
  )
  if (answer.length > 0 && bodies.every((body) => isObject(memberAt(body, answer)))) return answer
  const [name, ...others] = [...new Set(bodies.flatMap((body) => Object.keys(body)))]
  const isOnly = name !== undefined && others.length === 0 && bodies.every((body) => isObject(body[name]))
  if (!isOnly) return []
  const items = samples.flatMap(({ response }) => {
    const shown = memberAt(response, answer)
    return isObject(shown) ? [shown] : []
  })
  if (items.some((item) => Object.hasOwn(item, name))) return []
  // Answers that are the item show what was sent, as it was enclosed.
  const sent = bodies.flatMap((body) => Object.keys(body[name] as object))
  const isShown = (field: string): boolean => items.some((item) => Object.hasOwn(item, field))
  return answer.length > 0 || sent.some(isShown) ? [name] : []
}
