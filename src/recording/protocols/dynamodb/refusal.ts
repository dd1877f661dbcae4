/** Why a request is refused, with `{…}` for what differs from request to request, as the API reference and the service say it. */
export const ERRORS = {
  parameters: 'ValidationException: {Count} detected: {Errors}',
  noExpression: 'ValidationException: {Member} can only be specified when using expressions',
  noKeyConditions:
    'ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
  emptyValue:
    'ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  emptySet: 'ValidationException: One or more parameter values were invalid: An {Type} set  may not be empty',
  noTable: 'ResourceNotFoundException: Requested resource not found',
  noTableNamed: 'ResourceNotFoundException: Requested resource not found: Table: {TableName} not found',
  tableExists: 'ResourceInUseException: Table already exists: {TableName}',
  condition: 'ConditionalCheckFailedException: The conditional request failed',
  cancelled:
    'TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [{Reasons}]',
  key: 'ValidationException: The provided key element does not match the schema',
  missingKey:
    'ValidationException: One or more parameter values were invalid: Missing the key {Name} in the item',
  keyType:
    'ValidationException: One or more parameter values were invalid: Type mismatch for key {Name} expected: {Type} actual: {Actual}',
  indexKeyType:
    'ValidationException: One or more parameter values were invalid: Type mismatch for Index Key {Name} Expected: {Type} Actual: {Actual} IndexName: {IndexName}',
  emptyKey:
    'ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: {Name}',
  keyUpdate:
    'ValidationException: One or more parameter values were invalid: Cannot update attribute {Name}. This attribute is part of the key',
  noIndex: 'ValidationException: The table does not have the specified index: {IndexName}',
  noKeyCondition: 'ValidationException: Query condition missed key schema element: {Name}',
  keyCondition: 'ValidationException: Query key condition not supported',
  conditionType:
    'ValidationException: One or more parameter values were invalid: Condition parameter type does not match schema type',
  keyFilter:
    'ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: {Name}',
  duplicates: 'ValidationException: Provided list of item keys contains duplicates',
  path: 'ValidationException: The document path provided in the update expression is invalid for update',
  noOperand:
    'ValidationException: The provided expression refers to an attribute that does not exist in the item',
  operand: 'ValidationException: An operand in the update expression has an incorrect data type',
  updateType: 'ValidationException: Type mismatch for attribute to update',
  number: 'ValidationException: The parameter cannot be converted to a numeric value: {Value}',
  empty: 'ValidationException: Invalid {Kind}: The expression can not be empty;',
  reserved:
    'ValidationException: Invalid {Kind}: Attribute name is a reserved keyword; reserved keyword: {Name}',
  syntax: 'ValidationException: Invalid {Kind}: Syntax error; token: "{Token}", near: "{Near}"',
  undefinedName:
    'ValidationException: Invalid {Kind}: An expression attribute name used in the document path is not defined; attribute name: {Name}',
  undefinedValue:
    'ValidationException: Invalid {Kind}: An expression attribute value used in expression is not defined; attribute value: {Name}',
  overlap:
    'ValidationException: Invalid {Kind}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [{One}], path two: [{Two}]',
  unusedNames:
    'ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {{Names}}',
  unusedValues:
    'ValidationException: Value provided in ExpressionAttributeValues unused in expressions: keys: {{Names}}',
} as const

type ErrorText = (typeof ERRORS)[keyof typeof ERRORS]

/** A request that the service refuses. */
export class Refusal extends Error {
  readonly code: string
  /** The text, with `{…}` for the values. */
  readonly template: string
  readonly values: Readonly<Record<string, string>>
  /** Further members of the answer. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    error: ErrorText,
    values: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(error)
    const at = error.indexOf(': ')
    this.code = error.slice(0, at)
    this.template = error.slice(at + 2)
    this.values = values
    this.more = more
  }
}
