import { createOutput, type Output } from '../engine/generate-output.ts'
import { outputKind } from '../engine/output.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { fieldsOf as modelFields } from '../engine/schema/fields.ts'
import { kindOf } from '../engine/schema/keywords.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { createResolver, isObject, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import type { Item } from '../state/store.ts'
import { type Address, storedModelOf } from './address.ts'
import { withoutPart } from './hidden-parts.ts'
import type { ItemRequest } from './item-operations.ts'

export type OutputOptions = Parameters<typeof createOutput>[1]

/** Makes items, and answers with an item within. */
export interface ItemOutput extends Pick<Output, 'generateOne' | 'writeOne'> {
  /** Puts an item into its envelope; absent where the answer is the item. */
  readonly enclose?: (request: ItemRequest, item: Item) => Item | undefined
}

/** How a route makes items and answers with one. */
export function createItemOutput(
  route: RouteDefinition,
  { idPath = [] }: Address,
  output: Output,
  options: OutputOptions,
): ItemOutput {
  const { item, output: model = {} } = route.options
  if (item?.stores !== undefined) return createOtherOutput(route, output, item.stores, options)
  if (item?.answer === undefined || outputKind(model) !== 'single') return output
  const own = createOutput({ ...route, options: { ...route.options, output: storedModelOf(route) } }, options)
  const path = readPointer(item.answer)
  const beside = item.beside === undefined ? undefined : readPointer(item.beside)
  const [name = '', ...deeper] = path
  return {
    generateOne: own.generateOne,
    writeOne: own.writeOne,
    // What is around the item may repeat what is in it.
    enclose({ request, input }, value) {
      const id = beside === undefined ? {} : withMember({}, beside, memberAt(value, idPath))
      const shown = beside === undefined ? value : withoutPart(value, idPath)
      const known = deeper.length === 0 ? { ...id, [name]: shown } : id
      const around: unknown = output.generateOne(request, input, known)
      return withMember(isObject(around) ? around : {}, path, shown)
    },
  }
}

// What is answered is not what is stored, though it may say something of it.
function createOtherOutput(
  route: RouteDefinition,
  output: Output,
  stores: Schema,
  options: OutputOptions,
): ItemOutput {
  const own = createOutput({ ...route, options: { ...route.options, output: stores } }, options)
  const { output: model } = route.options
  // What is always the same is so whatever the item has.
  const fields =
    model && new Map([...modelFields(model, createResolver(model))].filter(([, field]) => !isFixed(field)))
  return {
    generateOne: own.generateOne,
    writeOne: own.writeOne,
    enclose: ({ request, input }, item) =>
      fields &&
      output.generateOne(
        request,
        input,
        pick(item, (name) => fields.has(name)),
      ),
  }
}

function isFixed(field: SchemaOrBoolean): boolean {
  return isObject(field) && ('const' in field || kindOf(field) === 'null')
}

/** Those of an item's fields that are wanted. */
export function pick(item: Item, isWanted: (name: string) => boolean): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => isWanted(name)))
}
