import { withoutUserInfo } from './message.ts'

const BRAND = Symbol.for('sim-gateway.SimError')

/** Base of every error thrown on purpose. `code` is stable API; the message is not. */
export abstract class SimError extends Error {
  readonly [BRAND] = true
  abstract readonly code: `SIM_${string}`
  abstract readonly statusCode: number
  /** Where in a module the mistake is. */
  declare readonly place?: { readonly file: string; readonly line: number; readonly column: number }

  /** Whether a value is an error thrown on purpose, even by another copy of this package. */
  static is(value: unknown): value is SimError {
    return value instanceof Error && BRAND in value
  }

  /** Response headers that belong to this error, in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return {}
  }

  /** The JSON body a client receives. */
  get body(): unknown {
    return { detail: this.message, error: this.name, code: this.code }
  }
}

type Pascal<Words extends string> = Words extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Lowercase<Word>>}${Pascal<Rest>}`
  : Capitalize<Lowercase<Words>>

type Defined<Code extends string, Status extends number, Fields> = SimError &
  Readonly<Fields> & {
    readonly name: Pascal<Code>
    readonly code: `SIM_${Code}`
    readonly statusCode: Fields extends { readonly statusCode: number } ? number : Status
  }

interface ErrorClass<Code extends string, Status extends number, Args extends unknown[], Fields> {
  new (...args: Args): Defined<Code, Status, Fields>
  is(value: unknown): value is SimError
}

type MessageOf = (...args: never[]) => string

/** What an error makes of the arguments of its constructor, which are those of its message. */
interface ErrorForm<Message extends MessageOf, Fields> {
  readonly message: Message
  readonly options?: (...args: Parameters<Message>) => ErrorOptions | undefined
  /** Properties of its own. */
  readonly fields?: (...args: Parameters<Message>) => Fields
  readonly headers?: (...args: Parameters<Message>) => Readonly<Record<string, string>>
  /** Whether it says where it was thrown. Default: from status 500 on. */
  readonly hasStack?: boolean
  /** The body, where it is not message, name and code. */
  readonly body?: (error: SimError & Fields, ...args: Parameters<Message>) => unknown
}

type PlainMessage = (message?: string, options?: ErrorOptions) => string

/** The class of an error, which is named as its code is. Without a form it takes its message and options. */
function defineError<
  Code extends string,
  Status extends number,
  Message extends MessageOf = PlainMessage,
  Fields = object,
>(
  code: `SIM_${Code}`,
  statusCode: Status,
  form?: ErrorForm<Message, Fields>,
): ErrorClass<Code, Status, Parameters<Message>, Fields> {
  const shaped = form ?? (PLAIN as unknown as ErrorForm<Message, Fields>)
  const { message, options, fields, headers, body, hasStack = statusCode >= 500 } = shaped
  const words = code.toLowerCase().split('_').slice(1)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  class DefinedError extends SimError {
    override readonly name = name
    readonly code = code
    readonly statusCode = statusCode
    readonly #args: Parameters<Message>

    constructor(...args: Parameters<Message>) {
      const [text, more, limit] = [message(...args), options?.(...args), Error.stackTraceLimit]
      // What answers a request says all in its message, and to note the stack would cost more than all the rest.
      if (!hasStack) Error.stackTraceLimit = 0
      // A URL that it quotes may have a password.
      super(withoutUserInfo(text), more)
      Error.stackTraceLimit = limit
      this.#args = args
      Object.assign(this, fields?.(...args))
    }

    override get headers(): Readonly<Record<string, string>> {
      return headers === undefined ? super.headers : headers(...this.#args)
    }

    override get body(): unknown {
      return body === undefined ? super.body : body(this as unknown as SimError & Fields, ...this.#args)
    }
  }
  return DefinedError as unknown as ErrorClass<Code, Status, Parameters<Message>, Fields>
}

const PLAIN: ErrorForm<PlainMessage, object> = {
  message: (message = '') => message,
  options: (_message, options) => options,
}

const detailOnly = ({ message }: SimError): unknown => ({ detail: message })

/** One problem a line. */
const PROBLEMS = {
  message: (problems: readonly string[], _options?: ErrorOptions) => problems.join('\n'),
  options: (_problems: readonly string[], options?: ErrorOptions) => options,
  fields: (problems: readonly string[]) => ({ problems }),
}

/** One thing wrong with a request's input; `loc` starts with `query`, `path`, `header`, `cookie` or `body`. */
export interface InputIssue {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input: unknown
}

/**
 * The credentials are missing, malformed or not on the list. Never says which were presented. Takes challenges, and
 * what credentials are needed where there is more than one bearer token to choose from.
 */
export class Unauthorized extends defineError('SIM_UNAUTHORIZED', 401, {
  message: (_challenges?: readonly string[], needs?: string) =>
    needs === undefined ? 'Unauthorized' : `Unauthorized: send ${needs}`,
  headers: (challenges = ['Bearer']) => ({ 'www-authenticate': challenges.join(', ') }),
  body: detailOnly,
}) {}

/** The caller is one of those that the route refuses. Never says which. */
export class Forbidden extends defineError('SIM_FORBIDDEN', 403, {
  message: () => 'Forbidden',
  body: detailOnly,
}) {}

/** The request has a token that nobody logged in with, or that was logged out. Never says which. */
export class TokenUnknown extends defineError('SIM_TOKEN_UNKNOWN', 401, { message: () => 'Unauthorized' }) {}

/** Nobody is called so (`user_unknown`), or the password is another (`secret_wrong`). */
export class LoginFailed extends defineError('SIM_LOGIN_FAILED', 401, {
  message: (_issues: readonly InputIssue[]) => 'Unauthorized',
  fields: (issues) => ({ issues }),
  body: detailOnly,
}) {}

/** The token is known, and does not carry the scopes that the operation asks for. */
export class ScopeMissing extends defineError('SIM_SCOPE_MISSING', 403, {
  message: (scopes: readonly string[]) =>
    `The token does not have the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`,
  headers: (scopes) => ({
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ').replace(/[^\x21\x23-\x5b\x5d-\x7e ]/g, '?')}"`,
  }),
}) {}

/** More requests than the rate limit admits. Carries the quota headers of the refusal. */
export class RateLimited extends defineError('SIM_RATE_LIMITED', 429, {
  message: (_quota: Readonly<Record<string, string>>) => 'Rate limit exceeded (simulated)',
  headers: (quota) => quota,
  body: detailOnly,
}) {}

/** The request does not fit the route's input model. */
export class InputInvalid extends defineError('SIM_INPUT_INVALID', 422, {
  message: (issues: readonly InputIssue[]) =>
    issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '),
  fields: (issues) => ({ issues }),
  body: ({ issues }) => ({ detail: issues }),
}) {}

/** A request names its session by a text that cannot be a session's key. */
export class SessionKeyInvalid extends defineError('SIM_SESSION_KEY_INVALID', 400, {
  message: (key: string) =>
    `'${key.slice(0, 40)}' cannot be the key of a session: use 1 to 128 letters, digits and _ . ~ : @ -, ` +
    'and name the session once',
}) {}

/** The control plane does not answer this client. */
export class ControlRefused extends defineError('SIM_CONTROL_REFUSED', 403) {}

/** The requests that came are not those that were expected. */
export class VerificationFailed extends defineError('SIM_VERIFICATION_FAILED', 409, {
  message: (message: string, _problems: readonly unknown[]) => message,
  fields: (_message, problems) => ({ problems }),
  body: ({ message, name, code, problems }) => ({ detail: message, error: name, code, problems }),
}) {}

/** There is no session of this key, or it ended. */
export class SessionNotFound extends defineError('SIM_SESSION_NOT_FOUND', 404, {
  message: (key: string) => `There is no session '${key}': it was never used, or has ended`,
}) {}

/** A request of the journal cannot be run again. */
export class RequestNotRebuilt extends defineError('SIM_REQUEST_NOT_REBUILT', 409, {
  message: (id: number, why: string) => `Request ${id} cannot be run again: ${why}`,
}) {}

/** The command that makes a folder of a request could not. */
export class ReproFailed extends defineError('SIM_REPRO_FAILED', 500) {}

/** There is no override of this id. */
export class OverrideNotFound extends defineError('SIM_OVERRIDE_NOT_FOUND', 404, {
  message: (id: number) =>
    `There is no override ${id}: it was removed, or has answered as often as it should`,
}) {}

/** The page of the control plane is requested of sources that were never built. */
export class PageNotBuilt extends defineError('SIM_PAGE_NOT_BUILT', 503, {
  message: () => 'The page is not built: run npm run build',
}) {}

/** What is wanted of a request is not kept of it. */
export class RequestNotKept extends defineError('SIM_REQUEST_NOT_KEPT', 404, {
  message: (id: number, reason: string) => `Request ${id} ${reason}`,
}) {}

/** The control plane got a request for items of an app that keeps none. */
export class StoreAbsent extends defineError('SIM_STORE_ABSENT', 409, {
  message: () => 'The app keeps no items: it is not stateful',
}) {}

interface ChaosProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Chaos is described by rules that cannot be. */
export class ChaosInvalid extends defineError('SIM_CHAOS_INVALID', 422, {
  message: (problems: readonly ChaosProblem[]) =>
    problems.map(({ path, message }) => `${['chaos', ...path].join('.')}: ${message}`).join('\n'),
  fields: (problems) => ({ problems }),
  body: ({ name, code, problems }) => ({
    detail: problems.map(({ path, message }) => ({ loc: ['body', ...path], msg: message })),
    error: name,
    code,
  }),
}) {}

/** The request body is larger than the gateway reads for a declared route. */
export class BodyTooLarge extends defineError('SIM_BODY_TOO_LARGE', 413, {
  message: (limitBytes: number) =>
    `The request body is larger than ${limitBytes} bytes, the most a declared route reads`,
}) {}

/**
 * The request body has a content type, charset or content encoding that the operation does not take. The values there
 * are stand in a header (RFC 9110, section 15.5.16), by default `accept`.
 */
export class MediaTypeUnsupported extends defineError('SIM_MEDIA_TYPE_UNSUPPORTED', 415, {
  message: (what: string, accepted: readonly string[], _header?: string, _options?: ErrorOptions) =>
    `${what} is not one this operation takes: send ${accepted.join(' or ')}`,
  options: (_what, _accepted, _header, options) => options,
  headers: (_what, accepted, header = 'accept') => ({ [header]: accepted.join(', ') }),
}) {}

/** An error that the route's options ask for: a mapped error, a scenario step or a random failure. */
export class SimulatedFailure extends defineError('SIM_SIMULATED_FAILURE', 500, {
  message: (_statusCode: number, detail: unknown, _body?: unknown) =>
    typeof detail === 'string' ? detail : JSON.stringify(detail),
  fields: (statusCode, detail) => ({ statusCode, detail }),
  hasStack: false,
  body: (_error, _statusCode, detail, body = { detail }) => body,
}) {}

/** No declared route has this path, and no upstream is there to ask. */
export class RouteNotFound extends defineError('SIM_ROUTE_NOT_FOUND', 404, {
  message: (method: string, path: string, hint = '') =>
    `No route is declared for ${method} ${path}, and the gateway has no upstream to forward it to${hint === '' ? '' : `. ${hint}`}`,
}) {}

interface Violated {
  readonly side: string
  readonly part: string
  readonly pointer: string
  readonly rule: string
  readonly message: string
}

const violatedText = (violations: readonly Violated[]): string =>
  violations.map(({ part, pointer, rule, message }) => `${part} ${pointer} (${rule}): ${message}`).join('; ')

/** A request is not as its operation is described, and `--check enforce` lets none of these pass. */
export class RequestViolatesContract extends defineError('SIM_REQUEST_VIOLATES_CONTRACT', 422, {
  message: (operation: string, violations: readonly Violated[], _statusCode: number) =>
    `The request is not as ${operation} is described: ${violatedText(violations)}`,
  fields: (_operation, violations, statusCode) => ({ violations, statusCode }),
  body: ({ message, name, code, violations }) => ({ detail: message, error: name, code, violations }),
}) {}

/** An answer is not as its operation is described, and `--check enforce` lets none of these pass. */
export class ResponseViolatesContract extends defineError('SIM_RESPONSE_VIOLATES_CONTRACT', 502, {
  message: (operation: string, violations: readonly Violated[]) =>
    `The answer is not as ${operation} is described: ${violatedText(violations)}`,
  fields: (_operation, violations) => ({ violations }),
  body: ({ message, name, code, violations }) => ({ detail: message, error: name, code, violations }),
}) {}

/** The path is declared, but with other methods. */
export class MethodNotAllowed extends defineError('SIM_METHOD_NOT_ALLOWED', 405, {
  message: (method: string, path: string, allow: readonly string[]) =>
    `${path} does not answer ${method}; it answers ${allow.join(', ')}`,
  headers: (_method, _path, allow) => ({ allow: allow.join(', ') }),
}) {}

/** A link gave a value that its field's schema refuses. */
export class LinkMismatch extends defineError('SIM_LINK_MISMATCH', 500) {}

/** A model no value can be generated for, such as one that requires itself without end. */
export class ModelNotGenerable extends defineError('SIM_MODEL_NOT_GENERABLE', 500) {}

/** A schema that is not a valid JSON Schema, or refers to something that is not there. */
export class ModelInvalid extends defineError('SIM_MODEL_INVALID', 500) {}

/** Two routes of the same method and path that nothing distinguishes, or that have one name. */
export class DuplicateRoute extends defineError('SIM_DUPLICATE_ROUTE', 500, {
  message: (method: string, path: string, [one, other]: readonly string[]) => {
    if (one !== undefined && other === undefined)
      return `Two routes have the name ${one}; give each one of its own after '#', such as ${one}2`
    const duplicate = `Duplicate ${method} endpoint registered for path '${path}'`
    return one === undefined ? duplicate : `${duplicate}: nothing distinguishes ${one} from ${other}`
  },
}) {}

/** A route or app option has a value it cannot have. The message names the route and the option. */
export class OptionInvalid extends defineError('SIM_OPTION_INVALID', 500) {}

/** Links that cannot work as declared, such as one that reads an input field that is not there. */
export class LinksInvalid extends defineError('SIM_LINKS_INVALID', 500, {
  message: (problems: readonly string[]) =>
    `Link validation failed:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  fields: (problems) => ({ problems }),
}) {}

/** Upstream could not be reached: it refused the connection, or the network did. */
export class UpstreamUnreachable extends defineError('SIM_UPSTREAM_UNREACHABLE', 502, {
  message: (origin: string, _cause: unknown) =>
    `No answer from ${origin}. Is it running, and is the host spelled right?`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** The name of an upstream stands for no address. */
export class UpstreamNameUnknown extends defineError('SIM_UPSTREAM_NAME_UNKNOWN', 502, {
  message: (origin: string, cause: Error) =>
    `The name in ${origin} cannot be resolved (${(cause as NodeJS.ErrnoException).code}). Is the host spelled right?`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** Upstream is beyond this machine, and the gateway is to reach nothing there. */
export class UpstreamOffline extends defineError('SIM_UPSTREAM_OFFLINE', 502, {
  message: (origin: string) =>
    `${origin} is beyond this machine, and --offline keeps the gateway on it. Leave that out, or answer from routes or a recording`,
}) {}

/** Upstream took the connection, and ended it before it answered. */
export class UpstreamReset extends defineError('SIM_UPSTREAM_RESET', 502, {
  message: (origin: string, cause: Error) =>
    `${origin} ended the connection before it answered: ${cause.message}`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** Upstream ended the connection within an answer, of which the client has a part: that is only logged. */
export class UpstreamCut extends defineError('SIM_UPSTREAM_CUT', 502, {
  message: (origin: string, cause: Error, bytes: string) =>
    `${origin} broke off its answer: ${cause.message}${bytes === '' ? '' : `, at ${bytes}`}`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** What an upstream answered is not HTTP. */
export class UpstreamMalformed extends defineError('SIM_UPSTREAM_MALFORMED', 502, {
  message: (origin: string, reason: string, bytes: string, _cause?: unknown) =>
    `The answer of ${origin} is malformed: ${reason}${bytes === '' ? '' : `, at ${bytes}`}`,
  options: (_origin, _reason, _bytes, cause) => ({ cause }),
}) {}

/** The header of an upstream's answer is larger than the gateway reads. */
export class UpstreamHeaderTooLarge extends defineError('SIM_UPSTREAM_HEADER_TOO_LARGE', 502, {
  message: (origin: string, _cause: unknown) => `The header of the answer of ${origin} is over 16 KiB`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** The proxy that upstreams are reached through opens no tunnel to one. */
export class UpstreamProxyRefused extends defineError('SIM_UPSTREAM_PROXY_REFUSED', 502, {
  message: (proxy: string, status: number | string, authority: string) =>
    `The proxy ${proxy} answered ${status} to CONNECT ${authority}`,
}) {}

/** No connection to an upstream was made in time. */
export class UpstreamConnectTimeout extends defineError('SIM_UPSTREAM_CONNECT_TIMEOUT', 504, {
  message: (origin: string, _cause: unknown) =>
    `No connection to ${origin} in time. Is the host right, and does a firewall let it through?`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** Upstream paused too long within an answer, of which the client has a part: that is only logged. */
export class UpstreamBodyTimeout extends defineError('SIM_UPSTREAM_BODY_TIMEOUT', 504, {
  message: (origin: string, _cause: unknown) => `${origin} did not go on with its answer in time`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** Upstream accepted the request and then took too long. */
export class UpstreamTimeout extends defineError('SIM_UPSTREAM_TIMEOUT', 504, {
  message: (origin: string, _cause: unknown) => `${origin} did not answer in time`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** A request has passed this kind of gateway so often that its upstreams lead back to it. */
export class UpstreamLoop extends defineError('SIM_UPSTREAM_LOOP', 508, {
  message: (origin: string, times: number) =>
    `The request has passed gateways like this one ${times} times: ${origin} leads back here. Give --upstream a server that answers by itself`,
}) {}

/** A client wants a request forwarded to a host that the gateway does not forward to. */
export class TargetRefused extends defineError('SIM_TARGET_REFUSED', 403, {
  message: (host: string, reason: string) => `The gateway does not forward to ${host}: ${reason}`,
}) {}

/** The mode asks for an upstream, and there is none for the request. */
export class TargetMissing extends defineError('SIM_TARGET_MISSING', 404, {
  message: (method: string, path: string, mode: string) =>
    `No upstream takes ${method} ${path}, which mode '${mode}' forwards. Start with --upstream URL, or use the gateway as a proxy`,
}) {}

/** No recorded request is like the one that was to be replayed. The body names the nearest ones. */
export class NotRecorded extends defineError('SIM_NOT_RECORDED', 404, {
  message: (method: string, url: string, _nearest: readonly unknown[]) =>
    `${method} ${url} is not in the recording`,
  fields: (_method, _url, nearest) => ({ nearest }),
  body: ({ message, name, code, nearest }) => ({ detail: message, error: name, code, nearest }),
}) {}

/** A command's target could not be loaded: no such module, no such attribute, or nothing in it to serve. */
export class TargetInvalid extends defineError('SIM_TARGET_INVALID', 500) {}

/** A command was called with arguments it cannot take. */
export class UsageInvalid extends defineError('SIM_USAGE_INVALID', 500) {}

/** A process that was to serve along with others ended before it could. */
export class WorkerEnded extends defineError('SIM_WORKER_ENDED', 500) {}

/** A server could not start to listen. */
export class NotListening extends defineError('SIM_NOT_LISTENING', 500) {}

/** A recording cannot be made, written or read back. The message names the directory, or the file and line. */
export class RecordingUnusable extends defineError('SIM_RECORDING_UNUSABLE', 500) {}

/** What was saved of a run cannot be read, or a gateway does not give it. */
export class RunUnreadable extends defineError('SIM_RUN_UNREADABLE', 500) {}

/** A recorded answer whose body was not kept, so that it cannot be given. */
export class BodyNotKept extends defineError('SIM_BODY_NOT_KEPT', 501, {
  message: (method: string, url: string, reason: string) =>
    `The answer to ${method} ${url} was recorded without its body: it is ${reason}` +
    (reason.includes('--record-max-body') ? '. Record it again with a greater limit' : ''),
}) {}

/** A page token that names no page. */
export class PageTokenInvalid extends defineError('SIM_PAGE_TOKEN_INVALID', 400, {
  message: () => 'Invalid page token',
  body: detailOnly,
}) {}

interface ItemAddress {
  readonly collection: string
  readonly id_field: string
  readonly id_value: string
}

/** No stored item has the id. `where` is shown to the client only when errors are verbose. */
export class ItemNotFound extends defineError('SIM_ITEM_NOT_FOUND', 404, {
  message: (_where?: ItemAddress) => 'Not found',
  body: ({ message }, where) => ({ detail: where === undefined ? message : { detail: message, ...where } }),
}) {}

/** An item with the same id is stored already, or with the same value of a field that no two items share. */
export class ItemExists extends defineError('SIM_ITEM_EXISTS', 409, {
  message: (collection: string, value: string, field = 'id', _why?: Readonly<Record<string, unknown>>) =>
    `${collection} already has an item with the ${field} ${value}`,
  fields: (_collection, value, _field, why) => ({ value, ...why }),
}) {}

/** An item cannot be removed while others refer to it. */
export class ItemInUse extends defineError('SIM_ITEM_IN_USE', 409) {}

/** A request names another version of an item than it has, in its body. */
export class ItemStale extends defineError('SIM_ITEM_STALE', 409) {}

/** A request says that an item is in another state than it is (RFC 9110, section 13.1). */
export class PreconditionFailed extends defineError('SIM_PRECONDITION_FAILED', 412, {
  message: () => 'The item is in another state than If-Match or If-None-Match says',
}) {}

/** As many files and connections are open as this process may have. */
export class TooManyOpenFiles extends defineError('SIM_TOO_MANY_OPEN_FILES', 503, {
  message: (limit: number, _cause?: Error) =>
    `This gateway has as many files and connections open as it may (${limit}, see ulimit -n). Try again, or start it with a higher limit`,
  options: (_limit, cause) => ({ cause }),
  headers: () => ({ 'retry-after': '1' }),
}) {}

/** A collection holds as many items as it may. */
export class StoreFull extends defineError('SIM_STORE_FULL', 507, {
  message: (collection: string, maxItems: number) =>
    `${collection} holds ${maxItems} items, the most it may (store.maxItems). Nothing was stored`,
}) {}

const SOON: Readonly<Record<string, string>> = { 'retry-after': '1' }

/** The server of a shared state cannot be used now, so that nothing was changed there. */
export class StateUnavailable extends defineError('SIM_STATE_UNAVAILABLE', 503, {
  message: (reason: string) => `The shared state cannot be used: ${reason}`,
  headers: () => SOON,
}) {}

/** What was under way when the connection to a shared state was lost, and may have been stored. */
export class StateUncertain extends defineError('SIM_STATE_UNCERTAIN', 503, {
  message: (reason: string) =>
    `The shared state did not say whether it has made the change of this request: ${reason}`,
}) {}

/** The server of a shared state has no memory left. */
export class StateFull extends defineError('SIM_STATE_FULL', 507, {
  message: () =>
    'The server of the shared state has no memory left. Nothing was stored: delete items, or give it more',
}) {}

/** The server of a shared state does not hold what it held before. */
export class StateLost extends defineError('SIM_STATE_LOST', 503, {
  message: (what: string) =>
    `The server of the shared state has lost what it held: ${what}. ` +
    'To go on with what it holds now: POST /__sim/reset, or start with --state-lost begin',
}) {}

/** Other gateways have changed the same things again and again. */
export class StateContended extends defineError('SIM_STATE_CONTENDED', 503, {
  message: (times: number) =>
    `Others changed what this request is about each of the ${times} times that it was tried. Nothing was stored`,
  headers: () => SOON,
}) {}

/** The gateway has not applied what others have changed, and so answers nothing. */
export class StateBehind extends defineError('SIM_STATE_BEHIND', 503, {
  message: (why: string) => `This gateway would answer by what others have changed since: ${why}`,
  headers: () => SOON,
}) {}

/** Some gateways have not said what they have noted, so that an answer would lack it. */
export class StatePartial extends defineError('SIM_STATE_PARTIAL', 503, {
  message: (gateways: readonly string[]) =>
    `What ${gateways.join(' and ')} noted is not known yet; once a gateway that has ended counts as lost, the others answer without it`,
  headers: () => SOON,
}) {}

/** A request of the journal that was answered by another gateway, which alone knows more of it. */
export class RequestElsewhere extends defineError('SIM_REQUEST_ELSEWHERE', 421, {
  message: (id: number, gateway: string) =>
    `The gateway ${gateway} answered request ${id}, and it alone knows more of it than the journal does`,
  fields: (_id, gateway) => ({ gateway }),
  body: ({ message, name, code, gateway }) => ({ detail: message, error: name, code, gateway }),
}) {}

/** A shared state that no gateway can use: one reason each. */
export class StateUnusable extends defineError('SIM_STATE_UNUSABLE', 500, PROBLEMS) {}

/** An answer does not fit its route's output model. */
export class ResponseInvalid extends defineError('SIM_RESPONSE_INVALID', 500) {}

/** A strict fixture link found no value. */
export class FixtureMiss extends defineError('SIM_FIXTURE_MISS', 500, {
  message: (where: string) => `Fixture miss: ${where}`,
  body: ({ name, code }, where) => ({ detail: 'Fixture miss', error: name, code, where }),
}) {}

/** A config file is missing, malformed, or holds options that cannot be: one problem each, with file, key and line. */
export class ConfigInvalid extends defineError('SIM_CONFIG_INVALID', 500, PROBLEMS) {}

/** A file of data-only routes is malformed or holds what cannot be: one problem each, with file, line and key. */
export class RouteFileInvalid extends defineError('SIM_ROUTE_FILE_INVALID', 500, PROBLEMS) {}

/** A check of an app found problems. The message has one line for each, and their count. */
export class AppInvalid extends defineError('SIM_APP_INVALID', 500) {}

/** What was recorded differs from what it was compared with. */
export class DriftFound extends defineError('SIM_DRIFT_FOUND', 500, {
  message: (recording: string, against: string, count: number) =>
    `${recording} differs from ${against} in ${count} ${count === 1 ? 'way' : 'ways'}`,
}) {}

/** What was recorded holds secrets. */
export class SecretsFound extends defineError('SIM_SECRETS_FOUND', 500, {
  message: (recording: string, count: number) =>
    `${recording} holds ${count} ${count === 1 ? 'secret' : 'secrets'} that sim recordings redact may hide`,
}) {}

/** An export left out routes that gave no answer. The message names each, and why. */
export class ExportIncomplete extends defineError('SIM_EXPORT_INCOMPLETE', 500) {}

/** A file that a command writes could not be written, or is there already. */
export class FileNotWritten extends defineError('SIM_FILE_NOT_WRITTEN', 500) {}

/** Items given to start a collection with do not fit it. */
export class SeedInvalid extends defineError('SIM_SEED_INVALID', 500) {}

/** A file is not a snapshot of a store. */
export class SnapshotInvalid extends defineError('SIM_SNAPSHOT_INVALID', 500) {}

/** A request prefers a status that the description does not declare for its operation. */
export class ResponseNotDeclared extends defineError('SIM_RESPONSE_NOT_DECLARED', 404, {
  message: (route: string, status: string, declared: readonly string[]) =>
    `${route} declares no response ${status}; it declares ${declared.join(', ') || 'none'}`,
}) {}

/** A request prefers an example that the description does not have for the response. */
export class ExampleNotDeclared extends defineError('SIM_EXAMPLE_NOT_DECLARED', 404, {
  message: (route: string, example: string, declared: readonly string[]) =>
    `${route} has no example '${example}' for this response; it has ${declared.join(', ') || 'none'}`,
}) {}

/** The response has no form that the request accepts. */
export class NotAcceptable extends defineError('SIM_NOT_ACCEPTABLE', 406, {
  message: (accept: string, types: readonly string[]) =>
    `The request accepts ${accept}, but the response is ${types.join(' or ')}`,
}) {}

/** An API description of which nothing can be served, or which gets something wrong where that is not let pass. */
export class DescriptionInvalid extends defineError('SIM_DESCRIPTION_INVALID', 500, PROBLEMS) {}

/** TLS with an upstream could not be agreed on, as a rule because its certificate is not trusted here. */
export class UpstreamUntrusted extends defineError('SIM_UPSTREAM_UNTRUSTED', 502, {
  message: (origin: string, cause: Error) =>
    `No TLS with ${origin}: ${cause.message}. ` +
    'Trust its authority with --upstream-ca FILE, or leave its certificate unchecked with --insecure HOST',
  options: (_origin, cause) => ({ cause }),
}) {}

/** The certificate of an upstream has expired, or is not valid yet. */
export class UpstreamCertificateExpired extends defineError('SIM_UPSTREAM_CERTIFICATE_EXPIRED', 502, {
  message: (origin: string, cause: Error) =>
    `No TLS with ${origin}: ${cause.message}. Renew it, or leave it unchecked with --insecure HOST`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** The certificate of an upstream is for other hosts. */
export class UpstreamCertificateMismatched extends defineError('SIM_UPSTREAM_CERTIFICATE_MISMATCHED', 502, {
  message: (origin: string, cause: Error) =>
    `No TLS with ${origin}: ${cause.message}. Use a name that it is for, or leave it unchecked with --insecure HOST`,
  options: (_origin, cause) => ({ cause }),
}) {}

/** An upstream speaks no TLS, or none that the gateway does. */
export class UpstreamTlsFailed extends defineError('SIM_UPSTREAM_TLS_FAILED', 502, {
  message: (origin: string, cause: Error) =>
    `No TLS with ${origin}: ${tlsReason(cause)}. Does it speak TLS at that port?`,
  options: (_origin, cause) => ({ cause }),
}) {}

// OpenSSL says where in its own code it was, between colons.
function tlsReason({ message }: Error): string {
  const [, reason] = /:SSL routines:[^:]*:([^:]*):/.exec(message) ?? []
  return reason ?? /\S[^\n]*/.exec(message)?.[0] ?? ''
}

/** A request that is not well-formed HTTP, or could be read in two ways. The connection is closed after the answer. */
export class RequestMalformed extends defineError('SIM_REQUEST_MALFORMED', 400, {
  message: (
    reason: string,
    _options?: ErrorOptions & {
      readonly statusCode?: number
      readonly headers?: Readonly<Record<string, string>>
    },
  ) => `The request is malformed: ${reason}`,
  options: (_reason, options) => options,
  fields: (_reason, options) => ({ statusCode: options?.statusCode ?? 400 }),
  headers: (_reason, options) => ({ connection: 'close', ...options?.headers }),
}) {}

/** The proxy asks for a user name and password that the client did not send, or sent wrongly. Never says which. */
export class ProxyAuthRequired extends defineError('SIM_PROXY_AUTH_REQUIRED', 407, {
  message: () => 'This proxy asks for a user name and password, as in http://user:password@host:port',
  headers: () => ({ 'proxy-authenticate': 'Basic realm="sim", charset="UTF-8"' }),
}) {}

/** A request inside an intercepted tunnel asks for another host than the tunnel leads to. */
export class RequestMisdirected extends defineError('SIM_REQUEST_MISDIRECTED', 421, {
  message: (host: string, tunnel: string) =>
    `This connection was opened to ${tunnel}, so it cannot be used to ask ${host}`,
}) {}

/** The local certificate authority cannot be made, read or used. The message names the file and says what to do. */
export class AuthorityUnusable extends defineError('SIM_AUTHORITY_UNUSABLE', 500) {}

/** One thing wrong with an adapter's fixture. */
export interface FixtureProblem {
  /** The file, where the fixture came from one. */
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
  /** Where in the fixture, as a JSON Pointer (RFC 6901); empty for all of it. */
  readonly path: string
  readonly rule: string
}

const MAX_SHOWN = 50

/** The fixture of an adapter breaks rules of its format. */
export class FixtureInvalid extends defineError('SIM_FIXTURE_INVALID', 422, {
  message: (problems: readonly FixtureProblem[], _options?: ErrorOptions): string => {
    const shown = problems.slice(0, MAX_SHOWN).map(({ file, line, path, rule }) => {
      const source = [file ?? 'fixture', ...(line === undefined ? [] : [line])].join(':')
      return `${[source, ...(path === '' ? [] : [path])].join(' ')}: ${rule}`
    })
    const more = problems.length - shown.length
    return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
  },
  options: (_problems, options) => options,
  fields: (problems) => ({ problems }),
  body: ({ name, code, problems }) => ({ detail: problems, error: name, code }),
}) {}

/** What the request is for is held by another gateway, which does not answer, or was given up while it was under way. */
export class StateElsewhere extends defineError('SIM_STATE_ELSEWHERE', 503, {
  message: (reason: string, seconds: number, _options?: ErrorOptions) =>
    `The gateway that holds what this is answered from cannot answer: ${reason}. Try again in ${seconds} s`,
  options: (_reason, _seconds, options) => options,
  headers: (_reason, seconds) => ({ 'retry-after': String(seconds) }),
}) {}

/** What a shared state keeps of an adapter cannot be gone on with. */
export class WorldUnreadable extends defineError('SIM_WORLD_UNREADABLE', 503, {
  message: (name: string, _options?: ErrorOptions) =>
    `What the shared state keeps of ${name} cannot be restored by this gateway, which may be of another version. ` +
    'POST /__sim/reset begins anew',
  options: (_name, options) => options,
}) {}

/** A request says that another gateway has passed it on, which did not sign it. */
export class PeerUntrusted extends defineError('SIM_PEER_UNTRUSTED', 403, {
  message: (reason: string) => `The header x-sim-peer is for gateways of one shared state: ${reason}`,
}) {}
