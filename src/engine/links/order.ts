import { LinksInvalid } from '../../sim-error.ts'
import type { BoundLink } from './link.ts'

/**
 * The fields of one object in an order that has every link after the siblings it needs; otherwise as declared.
 * @throws LinksInvalid when links need each other in a circle
 */
export function orderFields(model: string, links: ReadonlyMap<string, BoundLink | undefined>): string[] {
  const ordered = new Set<string>()
  const waiting: string[] = []

  const visit = (field: string): void => {
    if (ordered.has(field) || !links.has(field)) return
    if (waiting.includes(field)) {
      const circle = [...waiting.slice(waiting.indexOf(field)), field].join(' → ')
      throw new LinksInvalid([`${model}: fields are computed from each other in a circle: ${circle}`])
    }
    waiting.push(field)
    for (const sibling of links.get(field)?.siblings ?? []) visit(sibling)
    waiting.pop()
    ordered.add(field)
  }
  for (const field of links.keys()) visit(field)
  return [...ordered]
}
