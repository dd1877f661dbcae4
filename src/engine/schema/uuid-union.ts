import { isObject } from './schema.ts'

/**
 * A schema in which UUIDs are only UUIDs. ArkType says of each that it may also be the one of zeros or the one of Fs;
 * as members of a union they would be every other answer.
 */
export function withoutSpecialUuids(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSpecialUuids)
  if (!isObject(schema)) return schema
  const members = schema['anyOf']
  if (schema['format'] === 'uuid' && Array.isArray(members)) {
    const usual = members.filter((member) => !isObject(member) || !SPECIAL.test(String(member['const'])))
    if (usual.length === 1 && isObject(usual[0])) {
      const { anyOf: _members, ...others } = schema
      return { ...usual[0], ...others }
    }
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, withoutSpecialUuids(part)]),
  )
}

const SPECIAL = /^([0f])\1{7}-\1{4}-\1{4}-\1{4}-\1{12}$/
