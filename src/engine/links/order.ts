import { LinksInvalid } from '../../errors.ts'

/**
 * The fields of one object in an order that has each after the siblings its links need; otherwise as declared.
 * @param needs the fields in declared order, each with the names of the siblings it needs
 * @throws LinksInvalid when fields need each other in a circle
 */
export function orderFields(model: string, needs: ReadonlyMap<string, readonly string[]>): string[] {
  const ordered = new Set<string>()
  const waiting: string[] = []

  const visit = (field: string): void => {
    if (ordered.has(field) || !needs.has(field)) return
    if (waiting.includes(field)) {
      const circle = [...waiting.slice(waiting.indexOf(field)), field].join(' → ')
      throw new LinksInvalid([`${model}: fields are computed from each other in a circle: ${circle}`])
    }
    waiting.push(field)
    for (const sibling of needs.get(field) ?? []) visit(sibling)
    waiting.pop()
    ordered.add(field)
  }
  for (const field of needs.keys()) visit(field)
  return [...ordered]
}
