import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface Field {
  readonly isRequired: boolean
  readonly type: string
}

type Types = ReadonlyMap<string, ReadonlyMap<string, Field>>

/** The interfaces that the official client declares, read from its type declarations. */
export const officialTypes = (): Types => {
  const entry = createRequire(import.meta.url).resolve('@osdk/foundry.ontologies')
  const text = readFileSync(join(dirname(entry), '_components.d.ts'), 'utf8').replace(
    /\/\*\*[\s\S]*?\*\//g,
    '',
  )
  const types = new Map<string, ReadonlyMap<string, Field>>()
  for (const [, name = '', members = ''] of text.matchAll(/export interface (\w+) \{([\s\S]*?)\n\}/g)) {
    const fields = [...members.matchAll(/^ {4}(\w+)(\??): ([\s\S]*?);$/gm)].map(
      ([, field = '', mark = '', type = '']) =>
        [field, { isRequired: mark === '', type: type.trim() }] as const,
    )
    types.set(name, new Map(fields))
  }
  return types
}

/** What differs between a value and the type it should have: fields missing, and fields that the type does not know. */
export const differences = (types: Types, name: string, value: unknown, path = name): string[] => {
  const fields = types.get(name)
  if (fields === undefined || typeof value !== 'object' || value === null) return []
  const found: string[] = []
  for (const [field, { isRequired, type }] of fields) {
    const part = (value as Readonly<Record<string, unknown>>)[field]
    const place = `${path}.${field}`
    if (part === undefined) {
      if (isRequired) found.push(`${place} is missing`)
      continue
    }
    const item = /^Array<(\w+)>$/.exec(type)?.[1] ?? /^Record<\w+, (\w+)>$/.exec(type)?.[1]
    const parts = item === undefined ? [part] : Object.values(part as object)
    found.push(...parts.flatMap((each) => differences(types, item ?? type, each, place)))
  }
  const unknown = Object.keys(value).filter((field) => !fields.has(field))
  return [...found, ...unknown.map((field) => `${path}.${field} is unknown`)]
}
