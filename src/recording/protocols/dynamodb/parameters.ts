import { isObject } from '../../../engine/schema/schema.ts'
import { ERRORS, Refusal } from './refusal.ts'
import type { Args } from './tables.ts'
import { type Attributes, textIn, type Value } from './values.ts'

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  CreateTable: ['TableName', 'AttributeDefinitions', 'KeySchema'],
  DescribeTable: ['TableName'],
  UpdateTable: ['TableName'],
  DeleteTable: ['TableName'],
  GetItem: ['TableName', 'Key'],
  PutItem: ['TableName', 'Item'],
  UpdateItem: ['TableName', 'Key'],
  DeleteItem: ['TableName', 'Key'],
  Query: ['TableName'],
  Scan: ['TableName'],
  BatchGetItem: ['RequestItems'],
  BatchWriteItem: ['RequestItems'],
  TransactGetItems: ['TransactItems'],
  TransactWriteItems: ['TransactItems'],
}

const KINDS = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW']

/** @throws Refusal where parameters of an operation are not there, or are not as they must be */
export function checkParameters(name: string, args: Args): void {
  const wrong: string[] = []
  const check = (member: string, isRight: boolean, constraint: string): void => {
    const given = args[member] === undefined ? 'null' : `'${textIn(args[member])}'`
    const own = member.charAt(0).toLowerCase() + member.slice(1)
    if (!isRight)
      wrong.push(`Value ${given} at '${own}' failed to satisfy constraint: Member must ${constraint}`)
  }
  for (const member of REQUIRED[name] ?? [])
    check(member, args[member] !== undefined && args[member] !== null, 'not be null')
  const { TableName, Limit, ReturnValues, RequestItems } = args
  if (typeof TableName === 'string')
    check('TableName', TableName.length >= 3, 'have length greater than or equal to 3')
  if (Limit !== undefined) check('Limit', Number(Limit) >= 1, 'have value greater than or equal to 1')
  if (ReturnValues !== undefined)
    check(
      'ReturnValues',
      KINDS.includes(textIn(ReturnValues)),
      `satisfy enum value set: [${KINDS.join(', ')}]`,
    )
  if (isObject(RequestItems))
    check('RequestItems', Object.keys(RequestItems).length > 0, 'have length greater than or equal to 1')
  if (wrong.length > 0) {
    const Count = `${wrong.length} validation error${wrong.length === 1 ? '' : 's'}`
    throw new Refusal(ERRORS.parameters, { Count, Errors: wrong.join('; ') })
  }
  const isExpressed = Object.keys(args).some((member) => /^(?!.*Attribute).*Expression$/.test(member))
  const unused = ['ExpressionAttributeNames', 'ExpressionAttributeValues'].find(
    (member) => args[member] !== undefined && !isExpressed,
  )
  if (unused !== undefined) throw new Refusal(ERRORS.noExpression, { Member: unused })
  const given = [args['Item'], args['Key'], args['ExpressionAttributeValues']]
  for (const each of given) if (isObject(each)) checkValues(each as Attributes)
  if (name === 'Query' && args['KeyConditions'] === undefined && args['KeyConditionExpression'] === undefined)
    throw new Refusal(ERRORS.noKeyConditions)
}

const SETS: Readonly<Record<string, string>> = { SS: 'string', NS: 'number', BS: 'binary' }

function checkValues(values: Readonly<Record<string, Value>>): void {
  for (const value of Object.values(values)) {
    const [[type, own] = ['', undefined], ...others] = isObject(value) ? Object.entries(value) : []
    if (type === '' || others.length > 0) throw new Refusal(ERRORS.emptyValue)
    const set = SETS[type]
    if (set !== undefined && (own as readonly unknown[]).length === 0)
      throw new Refusal(ERRORS.emptySet, { Type: set })
    if (type === 'M') checkValues(own as Attributes)
    if (type === 'L') checkValues(Object.fromEntries((own as Value[]).entries()))
  }
}
