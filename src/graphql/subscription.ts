import {
  GraphQLError,
  isEnumType,
  createSourceEventStream,
  execute,
  isObjectType,
  type ExecutionResult,
  type GraphQLResolveInfo,
} from 'graphql'
import { after, type Awaitable } from '../message.ts'
import type { Session } from '../state/session.ts'
import { createFilter } from './filter.ts'
import { idIn } from './find-one.ts'
import { targetOf } from './intent.ts'
import { isList, namedTypeOf, snakeOf, type EntityType, type Field } from './model.ts'
import type { Change } from './mutation.ts'
import { listOf, readField } from './objects.ts'
import { Part, type Args } from './part.ts'
import { payloadOf } from './payload.ts'
import { resolveField, typeOf, type Resolving } from './resolve.ts'
import type { GraphqlRequest, GraphqlService, PreparedOperation } from './service.ts'
import { textOf, type ObjectGraph } from './object-graph.ts'

/** What the answers to one change are made of. */
class Event {
  readonly change: Change | undefined

  constructor(change: Change | undefined) {
    this.change = change
  }
}

const KINDS: readonly (readonly [RegExp, Change['kind']])[] = [
  [/creat|add|new|insert|post|sent|receiv|register/, 'created'],
  [/updat|chang|edit|modif/, 'updated'],
  [/delet|remov|destroy/, 'deleted'],
]

/** The most answers that wait for a slow reader; then the subscription ends. */
const MAX_WAITING = 1_000

/**
 * The answers of a subscription: one for each change that mutations of the session make to what it watches. One that
 * watches a list begins with it.
 */
export async function subscribeTo(
  service: GraphqlService,
  { document }: PreparedOperation,
  { variables, operationName }: GraphqlRequest,
  session: Session,
): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult> {
  const operation = {
    ...{ schema: service.schema, document },
    variableValues: variables ?? null,
    operationName: operationName ?? null,
  }
  const heard = await createSourceEventStream({
    ...operation,
    subscribeFieldResolver: ((_root: unknown, args: Args, _context: unknown, info: GraphQLResolveInfo) =>
      events(service, fieldOfInfo(info), args, session)) as never,
  })
  if (!(Symbol.asyncIterator in heard)) return heard
  // Each answer sees the objects as they are by then.
  const answer = (event: unknown): Awaitable<ExecutionResult> =>
    session.transact(
      (store) =>
        execute({
          ...{ ...operation, rootValue: event, typeResolver: typeOf },
          contextValue: service.resolving(session, store),
          fieldResolver: ((root: unknown, args: Args, context: Resolving, info: GraphQLResolveInfo) =>
            root instanceof Event
              ? valueOf(context.world, fieldOfInfo(info), args, root)
              : resolveField(root, args, context, info)) as never,
        }) as ExecutionResult,
    )
  return answersOf(heard as AsyncGenerator<unknown, void, void>, answer)
}

// It ends at once when it is to, whatever it waits for.
function answersOf(
  heard: AsyncGenerator<unknown, void, void>,
  answer: (event: unknown) => Awaitable<ExecutionResult>,
): AsyncGenerator<ExecutionResult, void, void> {
  const answered = async ({
    value,
    done = false,
  }: IteratorResult<unknown, void>): Promise<IteratorResult<ExecutionResult, void>> =>
    done ? { value: undefined, done: true } : { value: await answer(value), done: false }
  const answers = {
    next: async () => answered(await heard.next()),
    return: async () => answered(await heard.return(undefined)),
    throw: async (error: unknown) => answered(await heard.throw(error)),
    [Symbol.asyncIterator]: () => answers,
  } as AsyncGenerator<ExecutionResult, void, void>
  return answers
}

function fieldOfInfo({ parentType, fieldName }: GraphQLResolveInfo): Field {
  return parentType.getFields()[fieldName] as Field
}

function events(
  service: GraphqlService,
  field: Field,
  args: Args,
  session: Session,
): AsyncIterableIterator<Event, void> {
  const { model } = service
  const type = targetOf(model, field)
  const waiting: Event[] = isLive(field, type) ? [new Event(undefined)] : []
  let wake = (): void => undefined
  let isOver = false
  let failure: Error | undefined
  const hear = (change: Change): Awaitable<void> =>
    after(
      session.transact((store) => isWatched(change, field, args, type, service.worldOf(session, store))),
      (isHeard) => {
        if (isHeard) waiting.push(new Event(change))
        wake()
      },
    )
  let last: Awaitable<void> = undefined
  const unwatch = session.watchers.watch(service.subject, (change: unknown) => {
    last = after(last, () => hear(change as Change))
    if (last instanceof Promise)
      last.catch((error: Error) => {
        failure = error
        wake()
      })
  })
  const end = (): void => {
    isOver = true
    unwatch()
    wake()
  }
  const next = async (): Promise<IteratorResult<Event, void>> => {
    for (;;) {
      if (isOver) return { value: undefined, done: true }
      if (waiting.length > MAX_WAITING) {
        end()
        throw new GraphQLError(`More than ${MAX_WAITING} answers wait to be read`)
      }
      const event = waiting.shift()
      if (event !== undefined) return { value: event, done: false }
      if (failure !== undefined) {
        end()
        throw failure
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const iterator: AsyncIterableIterator<Event, void> = {
    next,
    return: async () => {
      end()
      return { value: undefined, done: true }
    },
    throw: async (error) => {
      end()
      throw error
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

function isLive(field: Field, type: EntityType | undefined): boolean {
  return type !== undefined && isList(field)
}

function isWatched(
  change: Change,
  field: Field,
  args: Args,
  type: EntityType | undefined,
  world: ObjectGraph,
): boolean {
  // What is about no type of object hears of everything.
  if (type === undefined) return true
  if (change.type !== type.name) return false
  const name = snakeOf(field.name)
  const kinds = KINDS.filter(([known]) => known.test(name)).map(([, kind]) => kind)
  if (kinds.length > 0 && !kinds.includes(change.kind)) return false
  if (isLive(field, type)) return true
  const { [type.idField]: _own, ...others } = args
  const id = idIn(args, type)
  if (id !== undefined && textOf(id) !== change.id) return false
  return createFilter(type, (entity, key) => readField(world, entity, key))(
    world.known(type, change.id, change.known),
    others['filter'] ?? others['where'] ?? others,
  )
}

const KIND_NAMES = /^(kind|type|action|event|mutation(type)?|operation|changetype)$/i

function valueOf(world: ObjectGraph, field: Field, args: Args, { change }: Event): unknown {
  const stream = world.stream(`Subscription.${field.name}`)
  const type = targetOf(world.model, field)
  if (isList(field) && type !== undefined) return listOf(world, field, world.all(type), args, stream)
  if (change === undefined) return null
  const entity = world.known(world.model.entities.get(change.type) as EntityType, change.id, change.known)
  const made = payloadOf(world, field, [entity], args, stream.childOf(entity.id))
  return made instanceof Part ? withKind(world, made, change) : made
}

// `{ mutation: CREATED, node: { … } }`
function withKind(world: ObjectGraph, part: Part, { kind }: Change): Part {
  const type = world.model.schema.getType(part.typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  const known = fields.flatMap((field): [string, string][] => {
    const named = namedTypeOf(field)
    const value =
      isEnumType(named) && KIND_NAMES.test(field.name)
        ? named
            .getValues()
            .find(({ name }) => KINDS.some(([known, own]) => own === kind && known.test(name.toLowerCase())))
        : undefined
    return value === undefined ? [] : [[field.name, value.name]]
  })
  return new Part(part.typeName, part.stream, { ...part.known, ...Object.fromEntries(known) })
}
