import type { CallModel, CallOutcome } from '../../engine/call-model.ts'
import type { Method } from '../../engine/route.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { SelectedField } from '../../routing/selection.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import type { Sample } from '../inference/sample.ts'
import type { Objects } from './objects.ts'

/** What of a request its calls are read from. */
export interface CallRequest {
  readonly method?: string
  readonly path?: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  /** JSON, the fields of a form, or the text of XML. */
  readonly body?: unknown
}

/** One operation that is called with arguments. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** Whether it may change what others get; absent where only its name says so. */
  readonly isChange?: boolean | undefined
  /** What is wanted of its result; absent for all of it. */
  readonly selects?: readonly SelectedField[] | undefined
  /** Whether it gets no answer, whatever it does. */
  readonly isSilent?: boolean
  /** Whether it is one of several within a call. */
  readonly isPart?: boolean
}

/** A recorded call, and what it came to. */
export interface ReadCall {
  readonly call: Call
  readonly outcome: CallOutcome
  /** Its result with members by their own names, whatever the call named them. */
  readonly value: unknown
  /** The number of changes that was around it. */
  readonly count?: number | undefined
  /** Whether it was made within another call. */
  readonly isInner?: boolean
}

/** A path with its parameters, and its exchanges. */
export interface SeenPath {
  readonly path: string
  readonly samples: readonly Sample[]
}

/** How a protocol writes calls and what they come to. */
export interface CallForm {
  /** Whether each call has a path of its own, rather than all of them one. */
  readonly isOfPaths?: boolean
  /**
   * The paths below which calls are about the same objects, where several paths of a host may be such.
   * @param samples those in the protocol
   * @param all all paths of the host
   */
  roots?(samples: readonly Sample[], all: readonly SeenPath[]): readonly string[]
  /** The methods that requests may have, whether or not a recording has them; absent where those of it are all. */
  readonly methods?: readonly Method[]
  /** Whether servers may leave out what is false, zero or empty. */
  readonly mayOmitEmpty?: boolean
  /** Whether answers have what is selected, and anything in it may be null. */
  readonly isSelecting?: boolean
  /** Whether clients name the results of calls as they like. */
  readonly hasAliases?: boolean
  /** Whether a member of an answer may have a value of any type, such as a failure in place of a number. */
  readonly hasAnyValues?: boolean
  /** Whether a list of one item is written as the item, and one of none not at all. */
  readonly unwrapsLists?: boolean
  /** Whether the validators of its answers are made of their bodies, as those of any server. */
  readonly hasPlainTags?: boolean
  /** The tokens that an answer gives to its client, who sends them from then on. */
  gives?(sample: Sample): readonly string[]
  /** The calls of a request, in order; `undefined` where it cannot be read. */
  read(request: CallRequest): readonly Call[] | undefined
  /** What they came to, each; `undefined` where an answer does not say it. @param answer as JSON, or as a text */
  outcomes(answered: Answered, calls: readonly Call[]): readonly CallOutcome[] | undefined
  /** The answer that says what they came to. */
  write(outcomes: readonly CallOutcome[], request: CallRequest): Answered
  /** What is answered to calls that nothing is known of; absent where such requests have no route. */
  readonly unknown?: Answered
  /** What calls do, where the protocol itself says it. */
  readonly semantics?: CallSemantics
}

/** A recorded call, and what it came to. */
export interface SeenCall {
  readonly call: Call
  readonly outcome: CallOutcome
  readonly value: unknown
}

/** What the calls of a protocol do, as its specification says. */
export interface CallSemantics {
  /** What was there in the beginning, and what else a recording shows. @param root the one of all calls, as `roots` has it */
  learn(calls: readonly SeenCall[], root: string | undefined): Pick<CallModel, 'types' | 'learned'>
  /** What a call comes to; it changes the objects. `undefined` for those that are not known. */
  perform(
    model: Pick<CallModel, 'learned'>,
    all: ReadonlyMap<string, Objects>,
    call: Call,
    fresh: Fresh,
  ): CallOutcome | undefined
}

/** The body of an answer as JSON, or as the text of XML; absent for none. */
export interface Answered {
  readonly status: number
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * The scalars among arguments, by names and dots; and what the query of a URL among them says, as `link?name`, and what
 * comes last in that, as `link?name:`.
 */
export function argumentsOf({ args }: Call): ReadonlyMap<string, string | number | boolean> {
  const found = new Map<string, string | number | boolean>()
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      found.set(path, value)
      if (typeof value === 'string' && URL_WITH_QUERY.test(value))
        for (const [name, part] of new URLSearchParams(value.slice(value.indexOf('?') + 1)))
          found.set(`${path}?${name}:`, part.slice(part.lastIndexOf(':') + 1)).set(`${path}?${name}`, part)
    } else if (depth < MAX_DEPTH && value !== null && typeof value === 'object')
      for (const [name, part] of Object.entries(value))
        walk(part, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  walk(args, '', 0)
  return found
}

const MAX_DEPTH = 5
const URL_WITH_QUERY = /^[a-z][\w+.-]*:[^\s?]*\?[^\s=]+=/i

/** The members that arguments give an object: those with names, wherever they are. */
export function membersOf({ args }: Call): Readonly<Record<string, unknown>> {
  const entries = Object.entries(args).filter(([name]) => !/^\d+$/.test(name))
  const objects = Object.values(args).filter((value) => isObject(value))
  // Some take all of them as one argument, such as `input`, and some take the texts of each language.
  const inner = [...Object.values(args).map(onlyEntry), ...objects].map((each) =>
    membersOf({ name: '', args: each }),
  )
  return Object.assign({}, ...inner, Object.fromEntries(entries)) as Record<string, unknown>
}

// What a list has whose only entry may as well be the object, but for the id of that.
function onlyEntry(value: unknown): Readonly<Record<string, unknown>> {
  const [only, ...others]: readonly unknown[] = Array.isArray(value) ? value : []
  if (!isObject(only) || others.length > 0) return {}
  const { id: _id, ...rest } = only
  return rest
}

/** Whether a name says that a call only reads. */
export function isReading(name: string): boolean {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1).replace(QUALIFIER, '')
  return FIRST_WORD.test(last) || LAST_WORD.test(last)
}

/** Says by whom or how many at once, before the verb: `AdminGetUser`, `batch_get_items`. */
const QUALIFIER = /^(?:admin|batch|bulk|multi|Admin|Batch|Bulk|Multi)_?(?=[A-Z_]|(?<=_))/
const FIRST_WORD =
  /^_?(get|list|describe|query|scan|search|find|lookup|count|fetch|read|show|has|is|exists?|all|tel{2}|range|stat|ping|version)/i
const LAST_WORD = /([-_](get|list|stats?|count|test)|status|info|time_?to_?live|ttl|keep_?alive)$/i

/** Names of types whose objects say why there is no result. */
export const ERROR_TYPE = /(error|problem|failure|exception|notfound|denied|conflict)$/i

/** Names of calls that remove what they are for. */
export const REMOVING =
  /(delete|remove|destroy|drop|unregister|unsubscribe|discard|erase|purge|revoke|cancel|release|evict|clear)|(^|[./_-])(del|rm|unset)/i
/** Names of calls that change what is there. */
export const CHANGING = /(^|[./_-])(edit|update|change|modify|rename|patch|set|finish|complete)/i
/** Names of calls that make something; what is called `likePost` has a post. */
export const CREATING = /(create|add|insert|register|new|put|make|save|append)|(^|[./_-])post/i
