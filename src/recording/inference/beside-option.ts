import { propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import type { IdBeside } from './infer-route.ts'
import type { Item } from './item-place.ts'

/** The options of a route, whose answers may have the ids of items beside them, or not at all. */
export function withIdBeside(
  data: Readonly<Record<string, unknown>>,
  beside: IdBeside | undefined,
  model: Schema = {},
): Readonly<Record<string, unknown>> {
  if (beside === undefined) return data
  const { name, item } = beside
  const { output, select = {}, item: own = {} } = data as { output?: unknown; select?: Item; item?: Item }
  if (item === undefined) return { ...data, select: { ...select, hides: [...hidesOf(select), `/${name}`] } }
  const id = new Map(propertiesOf(model)).get(name) ?? true
  return {
    ...data,
    output: { type: 'object', properties: { [name]: id, [item]: output }, required: [name, item] },
    item: { ...own, answer: `/${item}`, beside: `/${name}` },
  }
}

function hidesOf({ hides }: Item): readonly unknown[] {
  return Array.isArray(hides) ? hides : []
}
