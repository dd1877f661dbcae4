import { isObject } from '../../../engine/schema/schema.ts'

/** Whether an answer is in the JSON of OData 3 (JSON Light): `odata.metadata` in place of `@odata.context`. */
export function isVersion3(value: unknown): boolean {
  return isObject(value) && typeof value['odata.metadata'] === 'string'
}

/** The same answer with the annotations of OData 4. */
export function fromVersion3(value: unknown): unknown {
  return renamed(value, (name, part) => {
    if (name === 'odata.metadata' && typeof part === 'string')
      return ['@odata.context', part.replace(/\/@Element$/, '/$entity')]
    return [name.startsWith('odata.') && name !== 'odata.error' ? `@${name}` : name, part]
  })
}

/** The reverse of it. */
export function toVersion3(value: unknown): unknown {
  return renamed(value, (name, part) => {
    if (name === '@odata.context' && typeof part === 'string')
      return ['odata.metadata', part.replace(/\/\$entity$/, '/@Element')]
    return [name.startsWith('@odata.') ? name.slice(1) : name, part]
  })
}

function renamed(
  value: unknown,
  rename: (name: string, part: unknown) => readonly [name: string, part: unknown],
): unknown {
  if (Array.isArray(value)) return value.map((part) => renamed(part, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const [other, changed] = rename(name, part)
      return [other, renamed(changed, rename)]
    }),
  )
}
