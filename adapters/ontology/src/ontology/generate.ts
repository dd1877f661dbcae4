import type { IdSource } from 'sim-gateway/adapter'
import { cardinalityOf, foreignKeySide } from '../fixture/check-links.ts'
import { generatedKeys } from '../fixture/check-object-types.ts'
import type { KeyValue, LinkTypeFixture, Properties } from '../fixture/fixture.ts'
import type { DataType, TypeName } from '../values/value.ts'
import type { ObjectType, Ontology } from './model.ts'

const FIRST = 'Ada Alan Barbara Edsger Frances Grace John Katherine Margaret Niklaus'.split(' ')
const LAST = 'Allen Backus Dijkstra Hamilton Hopper Johnson Liskov Lovelace Turing Wirth'.split(' ')
const CITIES = ['Berlin', 'Cairo', 'Lagos', 'Lima', 'London', 'Mumbai', 'Oslo', 'Seoul', 'Toronto', 'Zurich']
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2015, 0, 1)
const DAYS = 3650

const pick = (list: readonly string[], chance: number): string => list[chance % list.length] ?? ''

/** The object a value is for. */
interface Owner {
  readonly typeName: string
  /** Its number among the generated ones. */
  readonly nth: number
}

/** What texts look like, by what a property is called. */
const TEXTS: readonly (readonly [RegExp, (chance: number, owner: Owner) => string])[] = [
  [/e-?mail/i, (chance, { nth }) => `${pick(FIRST, chance).toLowerCase()}.${nth}@example.com`],
  [/first_?name/i, (chance) => pick(FIRST, chance)],
  [/last_?name|surname/i, (chance) => pick(LAST, chance)],
  [/full_?name|author|owner|person/i, (chance) => `${pick(FIRST, chance)} ${pick(LAST, chance >>> 8)}`],
  [/name|title|label/i, (_, { typeName, nth }) => `${typeName} ${nth}`],
  [/city|town|location|place/i, (chance) => pick(CITIES, chance)],
  [/url|link|website/i, (_, { nth }) => `https://example.com/${nth}`],
  [/phone|mobile/i, (chance) => `+1 555 ${String(chance % 10_000_000).padStart(7, '0')}`],
]

const moment = (chance: number): string => new Date(FIRST_DAY + (chance % DAYS) * DAY_MS).toISOString()
const hundredths = (chance: number): number => (chance % 1_000_000) / 100
const point = (chance: number): object => ({
  type: 'Point',
  coordinates: [((chance >>> 8) % 36_000) / 100 - 180, (chance % 17_000) / 100 - 85],
})

const MAKERS: Readonly<
  Partial<Record<TypeName, (chance: number, name: string, owner: Owner, type: DataType) => unknown>>
> = {
  string: (chance, name, owner) =>
    TEXTS.find(([pattern]) => pattern.test(name))?.[1](chance, owner) ?? `${name} ${owner.nth}`,
  integer: (chance) => chance % 10_000,
  short: (chance) => chance % 1000,
  byte: (chance) => chance % 100,
  long: (chance) => String(chance),
  float: hundredths,
  double: hundredths,
  decimal: (chance) => hundredths(chance).toFixed(2),
  boolean: (chance) => chance % 2 === 0,
  date: (chance) => moment(chance).slice(0, 10),
  timestamp: moment,
  geopoint: point,
  geoshape: point,
  marking: (chance) => `marking-${chance % 3}`,
  array: (chance, name, owner, { subType }) =>
    subType === undefined
      ? []
      : Array.from({ length: chance % 4 }, (_, index) =>
          generateValue(name, subType, chance >>> index, owner),
        ),
  struct: (chance, _, owner, { fields = new Map<string, DataType>() }) =>
    Object.fromEntries(
      [...fields].map(([name, type], index) => [name, generateValue(name, type, chance >>> index, owner)]),
    ),
  vector: (chance, _, __, { dimension = 3 }) =>
    Array.from({ length: dimension }, (_unused, index) => ((chance >>> (index % 24)) % 256) / 255),
}

/** A value of a type; null for the types that only refer to what is kept elsewhere. */
const generateValue = (name: string, type: DataType, chance: number, owner: Owner): unknown =>
  MAKERS[type.type]?.(chance, name, owner, type) ?? null

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
 * The objects a type asks for by `generate`. Each is a function of seed, type and key, so the number requested
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
