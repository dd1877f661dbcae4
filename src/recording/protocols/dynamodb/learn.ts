import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { createObjects, plainType } from '../../calls/objects.ts'
import { type Args, idOf, keyNames, type Table } from './tables.ts'
import { type Attributes, storedAttributes, textIn } from './values.ts'

/** What a recording shows of a service that its reference leaves open. */
export type Learned = {
  /** The description of a table. */
  readonly description?: Args
  /** The members of what is answered when a table is deleted. */
  readonly deleted?: readonly string[]
  /** The ids of items in the order of scans. */
  readonly order?: readonly string[]
  /** What is said in place of the usual texts of refusals, by those. */
  readonly texts?: Readonly<Record<string, string>>
  /** How failures are written, by their codes. */
  readonly errors?: Readonly<Record<string, { readonly type: string; readonly member: string }>>
}

/** The tables and items that were there in the beginning, and what else a recording shows. */
export function learn(
  calls: readonly SeenCall[],
  perform: CallSemantics['perform'],
): ReturnType<CallSemantics['learn']> {
  const fine = calls.filter(({ outcome }) => outcome.error === undefined)
  const tables = tablesIn(fine)
  const order = orderOf(fine, tables)
  const types = {
    Table: plainType('TableName', tablesBefore(fine, tables)),
    Item: plainType('id', itemsBefore(fine, tables)),
  }
  const described = fine.map(({ value }) => descriptionIn(value)).find((each) => each !== undefined)
  const deleted = fine.find(({ call }) => call.name === 'DeleteTable')
  const learned: Learned = {
    ...(described !== undefined && { description: described }),
    ...(deleted !== undefined && { deleted: Object.keys(descriptionIn(deleted.value) ?? {}) }),
    ...(order.length > 0 && { order }),
  }
  const model = { types, learned }
  return { types, learned: { ...learned, ...refusalsOf(calls, model, perform) } }
}

function descriptionIn(value: unknown): Args | undefined {
  const found = isObject(value) ? (value['TableDescription'] ?? value['Table']) : undefined
  return isObject(found) ? found : undefined
}

type TablesByName = ReadonlyMap<string, Table>

// A table that nothing describes has the keys that requests for its items name.
function tablesIn(fine: readonly SeenCall[]): TablesByName {
  const found = new Map<string, Table>()
  for (const { value } of fine) {
    const described = descriptionIn(value)
    if (Array.isArray(described?.['KeySchema']))
      found.set(String(described['TableName']), described as unknown as Table)
  }
  for (const { call } of fine)
    for (const { table, key } of keysIn(call.args))
      if (!found.has(table)) found.set(table, { TableName: table, KeySchema: schemaOf(key) })
  return found
}

function schemaOf(key: Attributes): Table['KeySchema'] {
  return Object.keys(key).map((AttributeName, at) => ({
    AttributeName,
    KeyType: at === 0 ? 'HASH' : 'RANGE',
  }))
}

function keysIn(args: Args): readonly { readonly table: string; readonly key: Attributes }[] {
  const single = isObject(args['Key'])
    ? [{ table: String(args['TableName']), key: args['Key'] as Attributes }]
    : []
  const requested = isObject(args['RequestItems']) ? Object.entries(args['RequestItems']) : []
  const many = requested.flatMap(([table, request]) => {
    const keys = isObject(request) && Array.isArray(request['Keys']) ? request['Keys'] : []
    return keys.map((key) => ({ table, key: key as Attributes }))
  })
  return [...single, ...many]
}

function tablesBefore(fine: readonly SeenCall[], tables: TablesByName): readonly Args[] {
  const created = new Set<string>()
  const before = new Map<string, Args>()
  for (const { call, value } of fine) {
    const name = String(call.args['TableName'])
    if (call.name === 'CreateTable') created.add(name)
    const names = call.name === 'ListTables' && isObject(value) ? (value['TableNames'] as string[]) : [name]
    for (const each of names) {
      const table = tables.get(each)
      if (!created.has(each) && table !== undefined && !before.has(each)) before.set(each, { ...table })
    }
  }
  return [...before.values()]
}

// What was read before it was written, by its key.
function itemsBefore(fine: readonly SeenCall[], tables: TablesByName): readonly Args[] {
  const [written, created] = [new Set<string>(), new Set<string>()]
  const found = new Map<string, Args>()
  for (const { call, value } of fine) {
    if (call.name === 'CreateTable') created.add(String(call.args['TableName']))
    for (const { table, item, isWritten } of itemsIn({ call, value })) {
      const id = idIn(tables.get(table), item)
      if (id === undefined || created.has(table) || written.has(id)) continue
      if (isWritten) written.add(id)
      else {
        const before = found.get(id)?.['item']
        found.set(id, { id, table, item: { ...storedAttributes(item), ...(isObject(before) && before) } })
      }
    }
  }
  return [...found.values()]
}

function idIn(table: Table | undefined, item: Attributes): string | undefined {
  const isWhole = table !== undefined && keyNames(table).every((name) => item[name] !== undefined)
  return isWhole ? idOf(table, item) : undefined
}

interface SeenItem {
  readonly table: string
  readonly item: Attributes
  readonly isWritten: boolean
}

// The items that an answer shows as they were before, and then those that its request writes.
function itemsIn({ call, value }: Pick<SeenCall, 'call' | 'value'>): readonly SeenItem[] {
  const { args } = call
  const table = String(args['TableName'])
  const result = isObject(value) ? value : {}
  const isOld = String(args['ReturnValues']).endsWith('OLD')
  const responses = isObject(result['Responses']) ? Object.entries(result['Responses']) : []
  const shown = [
    ...[result['Item'], ...[result['Items'] ?? []].flat()].map((item) => ({ table, item })),
    ...(isOld ? [{ table, item: { ...objectOf(args['Key']), ...objectOf(result['Attributes']) } }] : []),
    ...responses.flatMap(([name, items]) => [items].flat().map((item) => ({ table: name, item }))),
  ]
  const requests = isObject(args['RequestItems']) ? Object.entries(args['RequestItems']) : []
  const transacted = [args['TransactItems'] ?? []].flat().flatMap((each) => Object.values(objectOf(each)))
  const writes = [
    ...(/^(Put|Update|Delete)Item$/.test(call.name) ? [{ table, item: args['Item'] ?? args['Key'] }] : []),
    ...requests.flatMap(([name, each]) =>
      (Array.isArray(each) ? each : [])
        .flatMap((write) => Object.values(objectOf(write)))
        .map((write) => ({ table: name, item: objectOf(write)['Item'] ?? objectOf(write)['Key'] })),
    ),
    ...(call.name === 'TransactWriteItems' ? transacted : []).map((write) => ({
      table: String(objectOf(write)['TableName']),
      item: objectOf(write)['Item'] ?? objectOf(write)['Key'],
    })),
  ]
  const seen =
    (isWritten: boolean) =>
    ({ table: of, item }: { readonly table: string; readonly item: unknown }) =>
      isObject(item) ? [{ table: of, item: item as Attributes, isWritten }] : []
  return [...shown.flatMap(seen(false)), ...writes.flatMap(seen(true))]
}

function objectOf(value: unknown): Args {
  return isObject(value) ? value : {}
}

// Items stand after those that scans showed before them.
function orderOf(fine: readonly SeenCall[], tables: TablesByName): readonly string[] {
  const order: string[] = []
  for (const { call, value } of fine) {
    const table = tables.get(String(call.args['TableName']))
    if (call.name !== 'Scan' || call.args['IndexName'] !== undefined || table === undefined) continue
    const start = call.args['ExclusiveStartKey']
    let before = isObject(start) ? idIn(table, start as Attributes) : undefined
    for (const item of [objectOf(value)['Items'] ?? []].flat()) {
      const id = idIn(table, item as Attributes)
      if (id === undefined) continue
      if (!order.includes(id)) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
      before = id
    }
  }
  return order
}

/** Why a request was refused, apart from how that is said. */
type Reason = NonNullable<CallOutcome['reason']>

function refusalsOf(
  calls: readonly SeenCall[],
  model: Pick<CallModel, 'types' | 'learned'>,
  perform: CallSemantics['perform'],
): Pick<Learned, 'texts' | 'errors'> {
  const all = createObjects(model)
  const texts: Record<string, string> = {}
  const errors: Record<string, { type: string; member: string }> = {}
  for (const { call, outcome } of calls) {
    const given = perform(model, all, call, { seed: '', now: 0 })
    const [recorded, own] = [objectOf(outcome.error), objectOf(given?.error)]
    const [type, usual] = [String(recorded['__type']), String(own['__type'])]
    const code = type.slice(type.indexOf('#') + 1)
    if (given?.reason === undefined || code !== usual.slice(usual.indexOf('#') + 1)) continue
    const member = 'Message' in recorded ? 'Message' : 'message'
    errors[code] ??= { type, member }
    const text = textIn(recorded[member] ?? '')
    if (text !== own['message']) texts[given.reason.template] ??= templateOf(text, given.reason)
  }
  return {
    ...(Object.keys(texts).length > 0 && { texts }),
    ...(Object.keys(errors).length > 0 && { errors }),
  }
}

function templateOf(text: string, { values }: Reason): string {
  const longest = Object.entries(values).toSorted(([, a], [, b]) => b.length - a.length)
  return longest.reduce(
    (template, [name, value]) => (value === '' ? template : template.replaceAll(value, `{${name}}`)),
    text,
  )
}
