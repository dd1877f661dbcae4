import { isLeafType } from 'graphql'
import type { Read } from './filter.ts'
import { nameFieldOf } from './filter.ts'
import { isList, lowerFirst, namedTypeOf, type Field } from './model.ts'
import { Entity } from './object-graph.ts'

const COMPOSED = /^([a-z][A-Za-z]*?)(?:With|_with_)([A-Za-z]\w*)$/

/** The value of a field that is put together by what it is called: `nameWithOwner` is `ada/engine`. */
export function composed(entity: Entity, field: Field, read: Read): string | undefined {
  const [, first = '', second = ''] = COMPOSED.exec(field.name) ?? []
  const fields = entity.type.type.getFields()
  const [own, other] = [fields[first], fields[lowerFirst(second)]]
  if (own === undefined || other === undefined || namedTypeOf(field).name !== 'String') return undefined
  if (!isLeafType(namedTypeOf(own)) || isList(own) || isList(other)) return undefined
  const object = read(entity, other.name)
  const naming = object instanceof Entity ? nameFieldOf(object.type) : undefined
  return naming === undefined
    ? undefined
    : `${String(read(object as Entity, naming))}/${String(read(entity, first))}`
}
