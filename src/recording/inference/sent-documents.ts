import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { selectionOf } from '../../routing/selection.ts'
import { MAX_LENGTH, withExamples } from './examples.ts'
import type { Sample } from './sample.ts'

/**
 * A model of what is sent, which says of documents of GraphQL which was sent and with which variables: none that is made
 * up would have the arguments that its fields need.
 */
export function withDocument(model: Schema | undefined, fine: readonly Sample[]): Schema | undefined {
  const bodies = fine.flatMap(({ body, response }) =>
    isObject(body) && isDocument(body['query']) && isObject(response) && !('errors' in response)
      ? [body]
      : [],
  )
  const [first] = bodies
  if (model === undefined || first === undefined) return model
  const { query, variables } = first
  const sent = (name: string, part: SchemaOrBoolean): SchemaOrBoolean => {
    if (!isObject(part)) return part
    if (name === 'query') return { ...part, examples: [query] }
    return name === 'variables' ? withExamples(part, [variables ?? {}]) : part
  }
  const properties = propertiesOf(model).map(([name, part]) => [name, sent(name, part)] as const)
  return { ...model, properties: Object.fromEntries(properties) }
}

function isDocument(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_LENGTH && selectionOf(value) !== undefined
}
