import { hash } from 'node:crypto'
import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { GraphqlSource } from '../engine/graphql-source.ts'
import { createLeafMaker } from './leaf-values.ts'
import { findExcess, MAX_TOKENS } from './limits.ts'
import { createModel, type SchemaModel } from './model.ts'
import { createMutate, type Change } from './mutation.ts'
import { readSchema } from './read-schema.ts'
import { MAX_FIELDS, resolveField, typeOf, type Resolving } from './resolve.ts'
import { after, all, type Awaitable } from '../message.ts'
import type { Session } from '../state/session.ts'
import type { Store } from '../state/store.ts'
import { ObjectGraph } from './object-graph.ts'

/** A request as it is written (GraphQL over HTTP, section 5.1). */
export interface GraphqlRequest {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** An operation that may be executed. */
export interface PreparedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** What rules call it: its own name, and its kind with the fields at its root. */
  readonly names: readonly string[]
}

/** A schema that answers. */
export interface GraphqlService {
  readonly schema: GraphQLSchema
  readonly model: SchemaModel
  /** Parses and validates; errors where it may not be executed. */
  prepare(request: GraphqlRequest): PreparedOperation | readonly GraphQLError[]
  /** What its subscriptions watch, the same in all gateways. */
  readonly subject: string
  /** The objects of a session, as a store has them now. */
  worldOf(session: Session, store: Store | undefined): ObjectGraph
  /** What fields are resolved with, from objects as they are now. @param notify hears of changes. Default: nobody does */
  resolving(session: Session, store: Store | undefined, notify?: (change: Change) => void): Resolving
  execute(
    prepared: PreparedOperation,
    request: GraphqlRequest,
    session: Session,
    root?: unknown,
  ): Awaitable<ExecutionResult>
}

const MAX_DOCUMENTS = 500
const services = new WeakMap<GraphqlSource, Promise<GraphqlService>>()

/** The service of a schema; it is made once. */
export function serviceOf(source: GraphqlSource): Promise<GraphqlService> {
  const known = services.get(source) ?? createService(source)
  services.set(source, known)
  return known
}

async function createService(source: GraphqlSource): Promise<GraphqlService> {
  const { schema } = await readSchema(source.text, source.file)
  const model = createModel(schema)
  const makeLeaf = createLeafMaker()
  const prepared = new LRUCache<string, PreparedOperation>({ max: MAX_DOCUMENTS })

  const subject = `graphql ${hash('sha256', source.text)}`
  const worldOf = (session: Session, store: Store | undefined): ObjectGraph => {
    const { seed } = session
    if (store === undefined) throw new TypeError('A GraphQL schema is served with a store')
    return new ObjectGraph({
      model,
      makeLeaf,
      seed,
      store,
      count: source.listCount,
      isClosed: source.isClosed,
    })
  }
  const resolving = (
    session: Session,
    store: Store | undefined,
    notify: (change: Change) => void = () => undefined,
  ): Resolving => {
    const world = worldOf(session, store)
    const mutate = createMutate({ world, now: session.clock.now(), notify })
    return { world, left: MAX_FIELDS, mutate }
  }
  return {
    ...{ schema, model, subject, worldOf, resolving },
    prepare(request) {
      const key = `${request.operationName ?? ''}\n${request.query}`
      const known = prepared.get(key)
      if (known !== undefined) return known
      const made = prepare(schema, request)
      if ('operation' in made) prepared.set(key, made)
      return made
    },
    execute({ document }, { operationName, variables }, session, rootValue = {}) {
      const changes: Change[] = []
      const run = (store: Store): ExecutionResult => {
        changes.length = 0
        const contextValue = resolving(session, store, (change) => changes.push(change))
        return limited(contextValue, executeWith(contextValue))
      }
      const executeWith = (contextValue: Resolving): ExecutionResult =>
        execute({
          ...{ schema, document, rootValue, contextValue },
          variableValues: variables ?? null,
          operationName: operationName ?? null,
          fieldResolver: resolveField as never,
          typeResolver: typeOf,
        }) as ExecutionResult
      const isWatched = schema.getSubscriptionType() !== undefined
      return after(session.transact(run), (result) => {
        const heard = isWatched ? changes.map((change) => session.watchers.notify(subject, change)) : []
        return after(all(heard), () => result)
      })
    },
  }
}

function limited({ left }: Resolving, result: ExecutionResult): ExecutionResult {
  if (left >= 0) return result
  return {
    data: null,
    errors: [
      new GraphQLError(`The answer has more than ${MAX_FIELDS} fields. Select fewer, or shorter lists`),
    ],
  }
}

function prepare(
  schema: GraphQLSchema,
  { query, operationName }: GraphqlRequest,
): PreparedOperation | readonly GraphQLError[] {
  let document: DocumentNode
  try {
    document = parse(query, { maxTokens: MAX_TOKENS })
  } catch (error) {
    return [error as GraphQLError]
  }
  const excess = findExcess(document)
  if (excess !== undefined) return [excess]
  const errors = validate(schema, document, undefined, { maxErrors: 20 })
  if (errors.length > 0) return errors
  const operation = getOperationAST(document, operationName ?? null)
  if (operation === null || operation === undefined)
    return [new GraphQLError(missing(document, operationName))]
  return { document, operation, names: namesOf(operation) }
}

function missing(document: DocumentNode, operationName: string | undefined): string {
  const names = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [each.name?.value ?? '(without a name)'] : [],
  )
  if (names.length === 0) return 'The document has no operation'
  return operationName === undefined || operationName === ''
    ? `The document has several operations: say which by operationName: ${names.join(', ')}`
    : `The document has no operation '${operationName}'. Operations: ${names.join(', ')}`
}

function namesOf({ name, operation, selectionSet }: OperationDefinitionNode): readonly string[] {
  const roots = selectionSet.selections.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
  return [
    ...(name === undefined ? [] : [name.value]),
    ...new Set(roots.map((root) => `${operation}.${root}`)),
  ]
}
