import { isObject, typesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { changeField } from './attach-links.ts'
import type { Echo } from './echo-links.ts'

/**
 * A model whose echoed fields take whatever a request may give: the values that were seen bound a field that is made up,
 * and not one that repeats.
 * @param within what the names of fields begin with before those of the model
 */
export function openOutput(
  model: Schema,
  echoes: readonly Echo[],
  input: Schema | undefined,
  within: string,
): Schema {
  return echoes
    .filter(({ field }) => field.startsWith(within))
    .reduce((opened, { field, source }) => {
      const asked = source.in === 'header' ? undefined : propertyOf(input, source.name)
      return changeField(opened, field.slice(within.length), (part) => open(part, asked))
    }, model)
}

/** An input whose fields are texts where answers repeat them as texts, though all that were seen read as numbers. */
export function textInput(
  input: Schema | undefined,
  echoes: readonly Echo[],
  model: Schema,
  within: string,
): Schema | undefined {
  return echoes.reduce((asked, { field, source }) => {
    const isText = source.in === 'path' || source.in === 'query'
    if (asked === undefined || !isText || !field.startsWith(within)) return asked
    let types: readonly string[] = []
    changeField(model, field.slice(within.length), (part) => {
      types = typesOf(part)
      return part
    })
    const isPlain = types.every((type) => type === 'string' || type === 'null') && types.includes('string')
    return isPlain ? changeField(asked, source.name, toText) : asked
  }, input)
}

function toText(part: Schema): Schema {
  const types = typesOf(part)
  return types.includes('string') || types.includes('array') ? part : { type: 'string' }
}

function open(part: Schema, asked: SchemaOrBoolean | undefined): Schema {
  const { type, anyOf, format } = part
  const isAsked = isObject(asked) && asked['format'] === format
  return {
    ...(type !== undefined && { type }),
    ...(anyOf !== undefined && { anyOf }),
    ...(format !== undefined && isAsked && { format }),
  }
}

function propertyOf(input: Schema | undefined, name: string): SchemaOrBoolean | undefined {
  const properties = (input?.['properties'] ?? {}) as Readonly<Record<string, SchemaOrBoolean>>
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}
