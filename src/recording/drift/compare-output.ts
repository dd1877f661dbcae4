import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { itemModelOf, outputKind } from '../../engine/output.ts'
import { createComparison, distinct, type CompareValue } from './compare-value.ts'

/** Makes the comparison with a route's output model. */
export function compareOutput(output: Schema): CompareValue {
  const kind = outputKind(output)
  if (kind === 'single' || kind === 'none') return createComparison(output)
  // An item is compared with its own model, whose references mean what they meant before it was put into a list.
  const properties = { ...(output['properties'] as object | undefined), items: { type: 'array' } }
  const envelope = createComparison(kind === 'list' ? { ...output, items: true } : { ...output, properties })
  const compareItem = createComparison(itemModelOf(output))
  const place = kind === 'list' ? '/-' : '/items/-'
  return (value) => {
    const items: unknown = kind === 'list' || !isObject(value) ? value : value['items']
    const found = (Array.isArray(items) ? items : []).flatMap(compareItem)
    return [
      ...envelope(value),
      ...distinct(found.map((each) => ({ ...each, pointer: `${place}${each.pointer}` }))),
    ]
  }
}
