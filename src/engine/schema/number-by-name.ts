import { lastName, plainName } from './field-name.ts'

/** The least and the greatest that numbers of one name usually are. */
export interface UsualRange {
  readonly min: number
  readonly max: number
}

/** The range that a number of this name would lie in; undefined for other names. */
export function numberByName(field: string): UsualRange | undefined {
  return NUMBERS.get(plainName(field)) ?? ENDINGS.find(([ending]) => ending.test(lastName(field)))?.[1]
}

const ID: UsualRange = { min: 1, max: 999_999_999 }
const MONEY: UsualRange = { min: 1, max: 999 }
const SIZE: UsualRange = { min: 1, max: 200 }
// Seconds since 1970, from 2020 to the end of 2025: content must not depend on today.
const MOMENT: UsualRange = { min: 1_577_836_800, max: 1_767_225_599 }

const NUMBERS: ReadonlyMap<string, UsualRange> = new Map([
  ['id', ID],
  ['age', { min: 18, max: 90 }],
  ...spread(['price', 'amount', 'cost', 'total', 'subtotal', 'balance', 'fee'], MONEY),
  ...spread(['quantity', 'qty', 'stock'], { min: 1, max: 100 }),
  ...spread(['rating', 'stars', 'score'], { min: 1, max: 5 }),
  ...spread(['percent', 'percentage', 'progress', 'discount'], { min: 0, max: 100 }),
  ...spread(['lat', 'latitude'], { min: -90, max: 90 }),
  ...spread(['lng', 'lon', 'long', 'longitude'], { min: -180, max: 180 }),
  ['year', { min: 1990, max: 2025 }],
  ['month', { min: 1, max: 12 }],
  ['day', { min: 1, max: 28 }],
  ['hour', { min: 0, max: 23 }],
  ...spread(['minute', 'second'], { min: 0, max: 59 }),
  ['port', { min: 1024, max: 65_535 }],
  ...spread(['weight', 'height', 'width', 'length', 'depth'], SIZE),
  ...spread(['timestamp', 'epoch'], MOMENT),
])

const ENDINGS: readonly [RegExp, UsualRange][] = [
  [/(_id|[a-z]Id|ID)$/, ID],
  [/(_count|Count|^count)$/, { min: 0, max: 500 }],
  [/(_at|[a-z]At)$/, MOMENT],
]

function spread(names: readonly string[], range: UsualRange): [string, UsualRange][] {
  return names.map((name) => [name, range])
}
