/** The envelope's `errorCode`s, each with the status it is sent with. */
const STATUS_OF_CODE = {
  INVALID_ARGUMENT: 400,
  UNAUTHORIZED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  REQUEST_ENTITY_TOO_LARGE: 413,
  INTERNAL: 500,
  TIMEOUT: 500,
  CUSTOM_SERVER: 500,
} as const

type ErrorCode = keyof typeof STATUS_OF_CODE

/** Every error this adapter answers with, by the service's own name for it. */
const CODE_OF_NAME = {
  MissingCredentials: 'UNAUTHORIZED',
  'Default:Unauthorized': 'UNAUTHORIZED',
  'Default:PermissionDenied': 'PERMISSION_DENIED',
  'Default:InvalidArgument': 'INVALID_ARGUMENT',
  'Default:RequestEntityTooLarge': 'REQUEST_ENTITY_TOO_LARGE',
  'Default:Internal': 'INTERNAL',
  'Conjure:InvalidArgument': 'INVALID_ARGUMENT',
  ApiUsageDenied: 'PERMISSION_DENIED',
  ApiFeaturePreviewUsageOnly: 'INVALID_ARGUMENT',
  OntologyNotFound: 'NOT_FOUND',
  ObjectTypeNotFound: 'NOT_FOUND',
  ObjectNotFound: 'NOT_FOUND',
  LinkTypeNotFound: 'NOT_FOUND',
  LinkedObjectNotFound: 'NOT_FOUND',
  ActionTypeNotFound: 'NOT_FOUND',
  QueryNotFound: 'NOT_FOUND',
  QueryVersionNotFound: 'NOT_FOUND',
  InterfaceTypeNotFound: 'NOT_FOUND',
  InterfaceLinkTypeNotFound: 'NOT_FOUND',
  ValueTypeNotFound: 'NOT_FOUND',
  FoundryBranchNotFound: 'NOT_FOUND',
  ObjectSetNotFound: 'NOT_FOUND',
  PropertiesNotFound: 'NOT_FOUND',
  InvalidPageSize: 'INVALID_ARGUMENT',
  InvalidPageToken: 'INVALID_ARGUMENT',
  ConsistentSnapshotError: 'CONFLICT',
  InvalidSortType: 'INVALID_ARGUMENT',
  InvalidSortOrder: 'INVALID_ARGUMENT',
  InvalidOrderType: 'INVALID_ARGUMENT',
  DuplicateOrderBy: 'INVALID_ARGUMENT',
  InvalidFields: 'INVALID_ARGUMENT',
  PropertiesNotSortable: 'INVALID_ARGUMENT',
  PropertyTypesSearchNotSupported: 'INVALID_ARGUMENT',
  InvalidPropertyValue: 'INVALID_ARGUMENT',
  InvalidPropertyType: 'INVALID_ARGUMENT',
  InvalidAndFilter: 'INVALID_ARGUMENT',
  InvalidOrFilter: 'INVALID_ARGUMENT',
  InvalidAggregationOrdering: 'INVALID_ARGUMENT',
  InvalidAggregationOrderingWithNullValues: 'INVALID_ARGUMENT',
  InvalidAggregationRangePropertyType: 'INVALID_ARGUMENT',
  InvalidAggregationRangeValue: 'INVALID_ARGUMENT',
  InvalidDurationGroupByPropertyType: 'INVALID_ARGUMENT',
  InvalidDurationGroupByValue: 'INVALID_ARGUMENT',
  MultipleGroupByOnFieldNotSupported: 'INVALID_ARGUMENT',
  DefaultAndNullGroupsNotSupported: 'INVALID_ARGUMENT',
  AggregationGroupCountExceededLimit: 'INVALID_ARGUMENT',
  PropertyTypeDoesNotSupportNearestNeighbors: 'INVALID_ARGUMENT',
  InvalidVectorDimension: 'INVALID_ARGUMENT',
  TooManyNearestNeighborsRequested: 'INVALID_ARGUMENT',
  SimilarityThresholdOutOfRange: 'INVALID_ARGUMENT',
  UnsupportedObjectSet: 'INVALID_ARGUMENT',
  IncompatibleNestedObjectSet: 'INVALID_ARGUMENT',
  DerivedPropertyApiNamesNotUnique: 'INVALID_ARGUMENT',
  InvalidDerivedPropertyDefinition: 'INVALID_ARGUMENT',
  UnknownParameter: 'INVALID_ARGUMENT',
  MissingParameter: 'INVALID_ARGUMENT',
  InvalidQueryParameterValue: 'INVALID_ARGUMENT',
  InvalidQueryOutputValue: 'INVALID_ARGUMENT',
  QueryRuntimeError: 'INVALID_ARGUMENT',
  QueryEncounteredUserFacingError: 'CONFLICT',
  QueryTimeExceededLimit: 'TIMEOUT',
  MissingPostBody: 'INVALID_ARGUMENT',
  MissingBatchRequest: 'INVALID_ARGUMENT',
  BatchRequestSizeExceededLimit: 'INVALID_ARGUMENT',
} as const satisfies Record<string, ErrorCode>

/** The name of an error in the service's envelope. */
export type ErrorName = keyof typeof CODE_OF_NAME

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(CODE_OF_NAME, name)

/** The code of an error by its name; by the status it is sent with, for names that only a test injects. */
const codeOf = (name: string, status: number): string => {
  if (isErrorName(name)) return CODE_OF_NAME[name]
  const [code] = Object.entries(STATUS_OF_CODE).find(([, each]) => each === status) ?? []
  return code ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
}

/** The JSON body that the service sends for an error. */
export interface Envelope {
  readonly errorCode: string
  readonly errorName: string
  readonly errorDescription?: string
  readonly errorInstanceId: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The body of an error of any name, known here or not. */
export const envelopeOf = (errorName: string, status: number, errorInstanceId: string): Envelope => ({
  errorCode: codeOf(errorName, status),
  errorName,
  errorInstanceId,
  parameters: {},
})

/** A refusal in the service's terms. `description` says in words what to mend; it is sent as `errorDescription`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly errorName: ErrorName
  readonly parameters: Readonly<Record<string, unknown>>
  readonly description: string | undefined

  constructor(
    errorName: ErrorName,
    parameters: Readonly<Record<string, unknown>> = {},
    description?: string,
  ) {
    super(description === undefined ? errorName : `${errorName}: ${description}`)
    this.errorName = errorName
    this.parameters = parameters
    this.description = description
  }

  get status(): number {
    return STATUS_OF_CODE[CODE_OF_NAME[this.errorName]]
  }

  /** The JSON body the service sends for this error. */
  envelope(errorInstanceId: string): Envelope {
    return {
      errorCode: CODE_OF_NAME[this.errorName],
      errorName: this.errorName,
      ...(this.description !== undefined && { errorDescription: this.description }),
      errorInstanceId,
      parameters: this.parameters,
    }
  }
}

/** The refusal of a request whose shape is wrong in a way the service has no name of its own for. */
export const invalidArgument = (reason: string): ApiError =>
  new ApiError('Default:InvalidArgument', { reason }, reason)
