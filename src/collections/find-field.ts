import { remembered } from '../engine/lazy.ts'
import { kindOf, textOf } from '../engine/schema/keywords.ts'
import { createFold } from '../engine/schema/merge.ts'
import { partOf } from '../engine/list-shape.ts'
import { fieldsOf } from '../engine/schema/fields.ts'
import { createResolver, isObject, typesOf, type Schema } from '../engine/schema/schema.ts'
import { HOLDERS } from './list-query.ts'
import { plainText } from './order-values.ts'
import { plainName } from './paging/page-parameters.ts'

/** The fields of the items that are chosen from. */
export interface ItemFields {
  readonly fields: ReadonlyMap<string, unknown>
  modelOf(this: void, name: string): Schema
}

/** Finds the field that a parameter means. */
export interface FieldFinder {
  field(name: string): string | undefined
  /** A field that holds a moment. */
  moment(name: string): string | undefined
  takes(field: string, text: string): boolean
  /** Whether a field is an object, whose members a parameter may name. */
  hasMembers(field: string): boolean
}

const MOMENTS = [
  'createdat',
  'created',
  'creationdate',
  'datecreated',
  'createddate',
  'createdon',
  'createtime',
  'date',
  'timestamp',
]
const LATER = [
  'time',
  'datetime',
  'occurredat',
  'startedat',
  'starttime',
  'startdate',
  'updatedat',
  'updated',
  'modifiedat',
]

/** Makes what finds fields by the names of parameters. */
export function createFieldFinder(items: ItemFields): FieldFinder {
  const { fields, modelOf } = withHeld(items)
  const byPlainName = new Map([...fields.keys()].toReversed().map((name) => [plainName(name), name]))
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => byPlainName.get(name)).find((name) => name !== undefined)
  const field = (name: string): string | undefined => {
    const plain = plainName(name)
    return first([
      plain,
      ...singulars(plain),
      `${plain}s`,
      `${plain}id`,
      ...(/.id$/.test(plain) ? [plain.slice(0, -2)] : []),
    ])
  }
  const folded = remembered((name: string): Schema => {
    const model = modelOf(name)
    const own = createFold(createResolver(model))(model)
    return typeof own === 'boolean' ? {} : own
  })
  return {
    field,
    moment(name) {
      const plain = plainName(name)
      if (plain === '') return first([...MOMENTS, ...LATER])
      const stem = plain.endsWith('ed') ? plain.slice(0, -1) : plain
      return first([
        plain,
        `${plain}at`,
        `${plain}date`,
        `${plain}on`,
        `date${plain}`,
        `${plain}time`,
        `${plain}d`,
        `${plain}edat`,
        `${stem}time`,
        `${stem}date`,
      ])
    },
    hasMembers: (name) => kindOf(folded(name)) === 'object',
    takes(name, text) {
      const schema = folded(name)
      const allowed = schema['enum']
      if (Array.isArray(allowed)) return allowed.some((each) => plainText(each) === text)
      if (typesOf(schema)[0] === 'boolean') return /^(true|false)$/.test(text)
      if (['integer', 'number'].includes(typesOf(schema)[0] ?? '')) return Number.isFinite(Number(text))
      return !/^(all|any|\*)$/i.test(text) && textOf(schema, 'const') === undefined
    },
  }
}

// JSON:API has most of what an item is in its attributes.
function withHeld({ fields, modelOf }: ItemFields): ItemFields {
  const held = new Map<string, Schema>()
  for (const holder of HOLDERS.filter((name) => fields.has(name))) {
    const model = modelOf(holder)
    for (const [name, part] of fieldsOf(model, createResolver(model)))
      if (!fields.has(name) && !held.has(name)) held.set(name, isObject(part) ? partOf(model, part) : {})
  }
  return { fields: new Map([...fields, ...held]), modelOf: (name) => held.get(name) ?? modelOf(name) }
}

function singulars(plain: string): readonly string[] {
  if (plain.endsWith('ies')) return [`${plain.slice(0, -3)}y`]
  return plain.endsWith('es')
    ? [plain.slice(0, -1), plain.slice(0, -2)]
    : plain.endsWith('s')
      ? [plain.slice(0, -1)]
      : []
}
