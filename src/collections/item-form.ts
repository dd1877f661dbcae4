import { createOutput, type Output } from '../engine/generate-output.ts'
import type { Input } from '../engine/input.ts'
import { contentStream } from '../engine/random.ts'
import { itemModelOf, outputKind } from '../engine/output.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { ItemOption } from '../engine/route-options.ts'
import { kindOf } from '../engine/schema/keywords.ts'
import { linksOf } from '../engine/schema/linked.ts'
import { memberAt } from '../engine/schema/member.ts'
import { flatten } from '../engine/schema/merge.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  type Schema,
  setEntry,
  type Entries,
} from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item } from '../state/store.ts'
import type { Address } from './address.ts'
import { readIdTemplate } from './id-template.ts'
import { createComputed } from './computed-members.ts'
import type { ItemForm } from './item-operations.ts'
import { itemFields, sendableFields } from './item-fields.ts'
import { createItemOutput, type OutputOptions, pick } from './item-output.ts'
import { laterThan } from './later-moments.ts'
import { addedTo } from './particular-fields.ts'
import { createLayer } from './layer.ts'
import { isPatchDocument, patchedItem } from './patch-document.ts'
import { ShownItem } from './shown.ts'

/** How requests of a declared route become items and answers about one: by its model and links, and where items are. */
export function createItemForm(
  route: RouteDefinition,
  address: Address,
  whole: Output,
  options: OutputOptions,
): Omit<ItemForm, 'need' | 'list' | 'validate'> {
  const output = createItemOutput(route, address, whole, options)
  const { enclose } = output
  const { fields, spare, linked } = itemFields(route)
  const spareNames = [...spare]
  const hasRemovedBody = answersRemoval(route)
  const hasOutput = route.options.output !== undefined
  const isOther = route.options.item?.of !== undefined
  const { keepsSent = false, item: { body = '', ids, merges = [], drops = [], again, ...more } = {} } =
    route.options
  const {
    unique,
    repeats,
    absent,
    otherwise,
    sets,
    from,
    once = false,
    begins,
    touches,
    adds,
    least,
    shown = true,
    completes,
    numbers,
    computes,
  } = more
  const bodyPath = readPointer(body)
  const { idPath = [] } = address
  const touch = touches && createOutput(withOutput(route, touches), options)
  const touched = (request: HttpRequest, input: Input, stored: Item): Item => {
    const made =
      touch === undefined ? NOTHING : laterThan(stored, touch.generateOne(request, input, NOTHING, stored))
    return adds === undefined ? made : { ...made, ...addedTo(stored, memberAt(request.body, bodyPath), adds) }
  }
  const changed = new Set([sets, touches, adds].flatMap((each) => Object.keys(each ?? {})))
  const renewed = drops.filter((name) => linked.has(name))
  const sendable = sendableFields(route, bodyPath)
  const sentIn = ({ body: sent }: HttpRequest): Item => {
    const own = memberAt(sent, bodyPath)
    if (!isObject(own)) return NOTHING
    if (drops.length === 0 && completes === undefined) return own
    const kept = Object.entries(own).filter(([name]) => !drops.includes(name))
    return Object.fromEntries(kept.map(([name, value]) => [name, completed(value, completes?.[name])]))
  }
  // What an envelope holds are fields like any other.
  const inputIn = (input: Input): Input => {
    const own = bodyPath.length === 0 ? undefined : memberAt(input, bodyPath)
    return isObject(own) ? { ...input, ...own } : input
  }
  const laidOver = createLayer(merges)
  return {
    ...{ again, unique, repeats, absent, otherwise },
    ...(computes && { compute: createComputed(computes) }),
    ...(once && { once: sets }),
    ...(from && { from }),
    ...(least && { least }),
    make({ request, input, stored = NOTHING, other, refers }, id, ordinal) {
      if (other !== undefined) return { ...other, ...id }
      const given = { ...refers, ...(numbers !== undefined && numbered(numbers, ordinal)), ...id }
      // What is made may repeat what was sent.
      const known = keepsSent ? { ...scalarsOf(sentIn(request)), ...given } : given
      const made = output.generateOne(request, inputIn(input), known)
      const isReplaced = stored !== NOTHING
      const ownFields = Object.entries({
        ...pick(stored, (name) => !sendable.has(name)),
        ...(isReplaced && touched(request, input, stored)),
      })
      if (!keepsSent) {
        const item = Object.assign(made, Object.fromEntries(ownFields))
        return begins === undefined ? item : { ...begins, ...item }
      }
      const needed = [...Object.entries(made).filter(([name]) => !spare.has(name)), ...ownFields]
      // A link may make the id of what is sent.
      const own = pick(given, (name) => !linked.has(name))
      return { ...begins, ...laidOver(Object.fromEntries(needed), sentIn(request)), ...refers, ...own }
    },
    sentId: ids !== 'sent' ? undefined : ({ request }) => memberAt(sentIn(request), idPath),
    write:
      !keepsSent && ids !== 'sent' && enclose === undefined && isPlain(more) && keepsGivenId(route, address)
        ? ({ request, input }, given) => output.writeOne(request, input, given)
        : undefined,
    change({ request, params, input, refers }, stored, kept) {
      const document = memberAt(request.body, bodyPath)
      if (isPatchDocument(document)) return { ...patchedItem(stored, document), ...kept }
      // Defaults of the input model are not what the request supplied.
      const sent = sentIn(request)
      if (keepsSent) {
        const whole = memberAt(request.body, bodyPath)
        const isNew = (name: string): boolean =>
          renewed.includes(name) && isObject(whole) && Object.hasOwn(whole, name)
        const made = renewed.some(isNew)
          ? output.generateOne(
              request,
              inputIn(input),
              pick(stored, (name) => !isNew(name)),
            )
          : NOTHING
        return {
          ...laidOver(stored, sent),
          ...pick(made, isNew),
          ...refers,
          ...touched(request, input, stored),
          ...sets,
          ...kept,
        }
      }
      if (sets !== undefined || adds !== undefined)
        return { ...stored, ...touched(request, input, stored), ...sets, ...kept }
      const overlay: Entries = {}
      const given: Entries = { ...stored }
      const own = inputIn(input)
      const all = merges.length === 0 ? own : laidOver(stored, own)
      for (const name in all) {
        if (!Object.hasOwn(sent, name) && !Object.hasOwn(params, name)) continue
        setEntry(overlay, name, all[name])
        if (Object.hasOwn(stored, name) || spare.has(name)) setEntry(given, name, all[name])
      }
      for (const name in kept) setEntry(given, name, kept[name])
      const item = output.generateOne(request, overlay, given)
      // A change makes up nothing that the item can do without.
      const madeUp = spareNames.filter((name) => Object.hasOwn(item, name) && !Object.hasOwn(given, name))
      if (madeUp.length === 0) return item
      return Object.fromEntries(Object.entries(item).filter(([name]) => !madeUp.includes(name)))
    },
    show(item, request) {
      if (!shown || isOther) {
        const own = shown ? NOTHING : pick(item.value, (name) => changed.has(name))
        return { body: hasOutput ? output.generateOne(request.request, request.input, own) : undefined }
      }
      if (enclose === undefined && begins === undefined) return new ShownItem(item)
      const value =
        begins === undefined ? item.value : pick(item.value, (name) => !Object.hasOwn(begins, name))
      return { body: enclose === undefined ? value : enclose(request, value) }
    },
    showRemoved(item, request) {
      if (!hasRemovedBody) return { body: undefined }
      const named = pick(item, (name) => fields.has(name))
      const made = output.generateOne(request.request, request.input, named)
      // Of an item nothing is made up that it did not have.
      const own = keepsSent ? pick(made, (name) => Object.hasOwn(item, name) || !spare.has(name)) : made
      return { body: enclose === undefined ? own : enclose(request, own) }
    },
  }
}

function withOutput(route: RouteDefinition, properties: Readonly<Record<string, Schema>>): RouteDefinition {
  const output = { type: 'object', properties, required: Object.keys(properties) }
  return { ...route, options: { ...route.options, output, item: undefined } }
}

const NOTHING: Item = {}

// A list whose entries have more than is sent of them.
function completed(value: unknown, more: Item | undefined): unknown {
  if (more === undefined || !Array.isArray(value)) return value
  return value.map((entry: unknown) => (isObject(entry) ? { ...more, ...entry } : entry))
}

// What is made after so many others.
function numbered(numbers: NonNullable<ItemOption['numbers']>, ordinal: number): Item {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, first]) => [
      name,
      typeof first === 'number' ? first + ordinal : readIdTemplate(first)?.(ordinal, contentStream('', name)),
    ]),
  )
}

// Nothing is to be looked at in what is made, or written into it.
function isPlain({
  unique,
  repeats,
  begins,
  numbers,
  computes,
}: Pick<ItemOption, 'unique' | 'repeats' | 'begins' | 'numbers' | 'computes'>): boolean {
  return [unique, repeats, begins, numbers, computes].every((each) => each === undefined)
}

function scalarsOf(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => typeof value !== 'object'))
}

// No link gives the id another value, and the model is an object without alternatives, some of which may lack it.
function keepsGivenId({ options: { output } }: RouteDefinition, { idField, idPath }: Address): boolean {
  if (idPath !== undefined && idField === undefined) return false
  const model = itemModelOf(output ?? {})
  const resolve = createResolver(model)
  const flat = flatten(model, resolve)
  if (kindOf(flat) !== 'object' || CHOICES.some((keyword) => keyword in flat)) return false
  if (linksOf(model, resolve).length > 0) return false
  const id = propertiesOf(flat).find(([name]) => name === idField)?.[1]
  return idField === undefined || (id !== undefined && linksOf(id, resolve).length === 0)
}

const CHOICES = ['anyOf', 'oneOf', 'if', 'const', 'enum']

// The usual 204 has no body; another status says that there is one.
function answersRemoval({ method, options: { status, output } }: RouteDefinition): boolean {
  const own = status ?? (method === 'DELETE' ? 204 : 200)
  return ![204, 205, 304].includes(own) && outputKind(output) === 'single'
}
