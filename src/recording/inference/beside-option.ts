import { isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
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
  if (item === undefined)
    return {
      ...data,
      ...(isObject(output) && { output: withoutNeed(output, name) }),
      select: { ...select, hides: [...hidesOf(select), `/${name}`] },
    }
  const id = new Map(propertiesOf(model)).get(name) ?? true
  return {
    ...data,
    output: { type: 'object', properties: { [name]: id, [item]: output }, required: [name, item] },
    item: { ...own, answer: `/${item}`, beside: `/${name}` },
  }
}

/** Models that routes answer which hide a member, without which these answers are whole. @param models by name, changed here */
export function hideInModels(
  models: Map<string, Schema>,
  outputs: readonly { readonly name: string; readonly output: unknown }[],
): void {
  for (const { name, output } of outputs) {
    const text = JSON.stringify(output ?? null)
    for (const [key, model] of models)
      if (text.includes(`"#/models/${key}"`)) models.set(key, withoutNeed(model, name))
  }
}

/** A model that does not require a member. */
function withoutNeed(model: Schema, name: string): Schema {
  const { required } = model
  return Array.isArray(required) ? { ...model, required: required.filter((each) => each !== name) } : model
}

function hidesOf({ hides }: Item): readonly unknown[] {
  return Array.isArray(hides) ? hides : []
}
