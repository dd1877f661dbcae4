import type { IdSource } from 'sim-gateway/adapter'
import { cardinalityOf, foreignKeySide } from '../fixture/check-links.ts'
import type { KeyValue, LinkTypeFixture, Properties } from '../fixture/fixture.ts'
import { generatedKeys } from '../fixture/generate-keys.ts'
import { generateValue } from './generate-value.ts'
import type { ObjectType, Ontology } from './model.ts'

/** A number of 32 bits that the parts determine; neighbouring parts give quite different ones. */
const mix = (base: number, text: string): number => {
  let state = base >>> 0
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  return (state ^ (state >>> 13)) >>> 0
}

const allKeys = ({ source, table, primaryKey }: ObjectType): KeyValue[] => [
  ...new Set([...table.all.map(({ key }) => key), ...generatedKeys(source, primaryKey.type)]),
]

/** The keys that a foreign key may hold, and whether each of them only once. */
interface Choices {
  readonly keys: readonly KeyValue[]
  readonly isUnique: boolean
}

const choicesOf = (
  type: ObjectType,
  ontology: Ontology,
  links: readonly LinkTypeFixture[],
): ReadonlyMap<string, Choices> =>
  new Map(
    links.flatMap((link) => {
      const side = foreignKeySide(link)
      const target = ontology.objectTypes.get(link[side === 'from' ? 'to' : 'from'])
      const isHeld = link.foreignKey !== undefined && link[side] === type.apiName
      if (!isHeld || target === undefined || link.foreignKey === undefined) return []
      return [
        [link.foreignKey, { keys: allKeys(target), isUnique: cardinalityOf(link) === 'ONE_TO_ONE' }] as const,
      ]
    }),
  )

/**
 * The objects a type asks for by `generate`. Each is a function of seed, type and key, so the number asked for
 * changes none of those before; a key that an explicit object has is left to that object.
 */
export const generateObjects = (
  type: ObjectType,
  ontology: Ontology,
  links: readonly LinkTypeFixture[],
  ids: IdSource,
): Properties[] => {
  const keys = generatedKeys(type.source, type.primaryKey.type).filter(
    (key) => type.table.get(key) === undefined,
  )
  if (keys.length === 0) return []
  const choices = choicesOf(type, ontology, links)
  return keys.map((key, index) => {
    const base = ids.number('generated', ontology.apiName, type.apiName, key)
    const values = [...type.properties.values()].map(({ apiName, type: dataType }) => {
      if (apiName === type.primaryKey.apiName) return [apiName, key]
      const chance = mix(base, apiName)
      const held = choices.get(apiName)
      const value =
        held === undefined
          ? generateValue(apiName, dataType, chance, { typeName: type.apiName, nth: index + 1 })
          : held.keys[held.isUnique ? index : chance % Math.max(held.keys.length, 1)]
      return [apiName, value ?? null]
    })
    return Object.fromEntries(values) as Properties
  })
}
