import { consumed, writeUnits } from './capacity.ts'
import { holds } from './conditions.ts'
import { readExpressions, type Update } from './expressions.ts'
import { ERRORS, Refusal } from './refusal.ts'
import * as all from './tables.ts'
import type { Args, StoredItem, Table, Tables } from './tables.ts'
import { applyUpdates, legacyCondition, legacyUpdates } from './updates.ts'
import { type Attributes, type Path, project, sizeOfItem } from './values.ts'

/** What a write does to one item. */
export interface Change {
  readonly id: string
  readonly table: string
  readonly before: Attributes | undefined
  /** Absent where it is deleted. */
  readonly now: Attributes | undefined
  /** What an update is of. */
  readonly paths: readonly Path[]
  readonly isCheck: boolean
}

/** What a write would do. @throws Refusal where its condition does not hold */
export function change(does: string, args: Args, service: Tables): Change {
  const expressions = readExpressions(args)
  const condition =
    expressions.condition('ConditionExpression') ??
    legacyCondition(args['Expected'], args['ConditionalOperator'])
  const updates = expressions.updates('UpdateExpression') ?? legacyUpdates(args['AttributeUpdates'])
  expressions.checkUse()
  const table = all.tableOf(service, args)
  const put = does === 'Put' ? all.checkedItem(table, args['Item'] as Attributes) : undefined
  const key = put === undefined ? all.checkedKey(table, args['Key']) : put
  const id = all.idOf(table, key)
  checkKeyUpdate(table, updates)
  const before = (service.items.items.get(id) as StoredItem | undefined)?.item
  if (!holds(condition, before ?? {})) {
    const isShown = args['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' && before !== undefined
    throw new Refusal(ERRORS.condition, {}, isShown ? { Item: before } : {})
  }
  const isUpdate = does === 'Update'
  const now = isUpdate ? all.checkedItem(table, applyUpdates(before ?? key, updates)) : put
  const paths = updates.map(({ path }) => path)
  return { id, table: table.TableName, before, now, paths, isCheck: does === 'ConditionCheck' }
}

function checkKeyUpdate(table: Table, updates: readonly Update[]): void {
  const names = all.keyNames(table)
  const own = updates.map(({ path }) => String(path[0])).find((name) => names.includes(name))
  if (own !== undefined) throw new Refusal(ERRORS.keyUpdate, { Name: own })
}

/** Does what a write does. */
export function apply({ id, table, now, isCheck }: Change, { items }: Tables): void {
  if (isCheck) return
  if (now === undefined) items.items.delete(id)
  else items.items.set(id, { id, table, item: now })
}

/** What the write of one item answers. */
export function write(does: string, args: Args, service: Tables): Args {
  const changed = change(does, args, service)
  apply(changed, service)
  const { before, now, paths } = changed
  const kind = String(args['ReturnValues'])
  const whole = kind.endsWith('OLD') ? before : now
  const returned = kind.startsWith('UPDATED') && whole !== undefined ? project(whole, paths) : whole
  return {
    ...(kind.includes('_') && returned !== undefined && { Attributes: returned }),
    ...consumed(args, [Math.max(sizeOfItem(before ?? {}), sizeOfItem(now ?? {}))], writeUnits),
  }
}
