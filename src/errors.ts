const BRAND = Symbol.for('sim-gateway.SimError')

/** Base of every error thrown on purpose. `code` is stable API; the message is not. */
export abstract class SimError extends Error {
  readonly [BRAND] = true
  abstract readonly code: `SIM_${string}`
  abstract readonly statusCode: number

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

/** One thing wrong with a request's input; `loc` starts with `query`, `path`, `header`, `cookie` or `body`. */
export interface InputIssue {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input: unknown
}

/** The credentials are missing, malformed or not on the list. Never says which were presented. */
export class Unauthorized extends SimError {
  override readonly name = 'Unauthorized'
  readonly code = 'SIM_UNAUTHORIZED'
  readonly statusCode = 401
  readonly #challenges: readonly string[]

  /** @param needs what credentials are needed, where there is more than one bearer token to choose from */
  constructor(challenges: readonly string[] = ['Bearer'], needs?: string) {
    super(needs === undefined ? 'Unauthorized' : `Unauthorized: send ${needs}`)
    this.#challenges = challenges
  }

  override get headers(): Record<string, string> {
    return { 'www-authenticate': this.#challenges.join(', ') }
  }

  override get body(): unknown {
    return { detail: this.message }
  }
}

/** More requests than the rate limit admits. Carries the quota headers of the refusal. */
export class RateLimited extends SimError {
  override readonly name = 'RateLimited'
  readonly code = 'SIM_RATE_LIMITED'
  readonly statusCode = 429

  readonly #quota: Readonly<Record<string, string>>

  constructor(quota: Readonly<Record<string, string>>) {
    super('Rate limit exceeded (simulated)')
    this.#quota = quota
  }

  override get headers(): Readonly<Record<string, string>> {
    return this.#quota
  }

  override get body(): unknown {
    return { detail: this.message }
  }
}

/** The request does not fit the route's input model. */
export class InputInvalid extends SimError {
  override readonly name = 'InputInvalid'
  readonly code = 'SIM_INPUT_INVALID'
  readonly statusCode = 422

  readonly issues: readonly InputIssue[]

  constructor(issues: readonly InputIssue[]) {
    super(issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '))
    this.issues = issues
  }

  override get body(): unknown {
    return { detail: this.issues }
  }
}

/** A request names its session by a text that cannot be a session's key. */
export class SessionKeyInvalid extends SimError {
  override readonly name = 'SessionKeyInvalid'
  readonly code = 'SIM_SESSION_KEY_INVALID'
  readonly statusCode = 400

  constructor(key: string) {
    super(
      `'${key.slice(0, 40)}' cannot be the key of a session: use 1 to 128 letters, digits and _ . ~ : @ -, ` +
        'and name the session once',
    )
  }
}

/** The control plane does not answer this client. */
export class ControlRefused extends SimError {
  override readonly name = 'ControlRefused'
  readonly code = 'SIM_CONTROL_REFUSED'
  readonly statusCode = 403
}

/** The requests that came are not those that were expected. */
export class VerificationFailed extends SimError {
  override readonly name = 'VerificationFailed'
  readonly code = 'SIM_VERIFICATION_FAILED'
  readonly statusCode = 409

  /** What was expected and did not come. */
  readonly problems: readonly unknown[]

  constructor(message: string, problems: readonly unknown[]) {
    super(message)
    this.problems = problems
  }

  override get body(): unknown {
    return { detail: this.message, error: this.name, code: this.code, problems: this.problems }
  }
}

/** There is no session of this key, or it ended. */
export class SessionNotFound extends SimError {
  override readonly name = 'SessionNotFound'
  readonly code = 'SIM_SESSION_NOT_FOUND'
  readonly statusCode = 404

  constructor(key: string) {
    super(`There is no session '${key}': it was never used, or has ended`)
  }
}

/** The control plane is asked for items of an app that keeps none. */
export class StoreAbsent extends SimError {
  override readonly name = 'StoreAbsent'
  readonly code = 'SIM_STORE_ABSENT'
  readonly statusCode = 409

  constructor() {
    super('The app keeps no items: it is not stateful')
  }
}

/** Chaos is described by rules that cannot be. */
export class ChaosInvalid extends SimError {
  override readonly name = 'ChaosInvalid'
  readonly code = 'SIM_CHAOS_INVALID'
  readonly statusCode = 422

  /** What is wrong, each with the keys and indexes that lead to it. */
  readonly problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]

  constructor(problems: ChaosInvalid['problems']) {
    super(problems.map(({ path, message }) => `${['chaos', ...path].join('.')}: ${message}`).join('\n'))
    this.problems = problems
  }

  override get body(): unknown {
    const detail = this.problems.map(({ path, message }) => ({ loc: ['body', ...path], msg: message }))
    return { detail, error: this.name, code: this.code }
  }
}

/** The request body is larger than the gateway reads for a declared route. */
export class BodyTooLarge extends SimError {
  override readonly name = 'BodyTooLarge'
  readonly code = 'SIM_BODY_TOO_LARGE'
  readonly statusCode = 413

  constructor(limitBytes: number) {
    super(`The request body is larger than ${limitBytes} bytes, the most a declared route reads`)
  }
}

/** The request body has a content type, charset or content encoding that the operation does not take. */
export class MediaTypeUnsupported extends SimError {
  override readonly name = 'MediaTypeUnsupported'
  readonly code = 'SIM_MEDIA_TYPE_UNSUPPORTED'
  readonly statusCode = 415
  readonly #accepted: Readonly<Record<string, string>>

  /** @param header what names, in the answer, the values there are (RFC 9110, section 15.5.16) */
  constructor(what: string, accepted: readonly string[], header = 'accept', options?: ErrorOptions) {
    super(`${what} is not one this operation takes: send ${accepted.join(' or ')}`, options)
    this.#accepted = { [header]: accepted.join(', ') }
  }

  override get headers(): Readonly<Record<string, string>> {
    return this.#accepted
  }
}

/** An error the route's options asked for: a mapped error, a scenario step or a random failure. */
export class SimulatedFailure extends SimError {
  override readonly name = 'SimulatedFailure'
  readonly code = 'SIM_SIMULATED_FAILURE'
  readonly statusCode: number
  readonly detail: unknown
  readonly #body: unknown

  /** @param body the whole body; has only the detail unless given */
  constructor(statusCode: number, detail: unknown, body: unknown = { detail }) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail))
    this.statusCode = statusCode
    this.detail = detail
    this.#body = body
  }

  override get body(): unknown {
    return this.#body
  }
}

/** No declared route has this path, and no upstream is there to ask. */
export class RouteNotFound extends SimError {
  override readonly name = 'RouteNotFound'
  readonly code = 'SIM_ROUTE_NOT_FOUND'
  readonly statusCode = 404

  constructor(method: string, path: string, hint = '') {
    super(
      `No route is declared for ${method} ${path}, and the gateway has no upstream to forward it to${hint === '' ? '' : `. ${hint}`}`,
    )
  }
}

/** The path is declared, but with other methods. */
export class MethodNotAllowed extends SimError {
  override readonly name = 'MethodNotAllowed'
  readonly code = 'SIM_METHOD_NOT_ALLOWED'
  readonly statusCode = 405
  readonly #allow: string

  constructor(method: string, path: string, allow: readonly string[]) {
    super(`${path} does not answer ${method}; it answers ${allow.join(', ')}`)
    this.#allow = allow.join(', ')
  }

  override get headers(): Record<string, string> {
    return { allow: this.#allow }
  }
}

/** A link gave a value that its field's schema refuses. */
export class LinkMismatch extends SimError {
  override readonly name = 'LinkMismatch'
  readonly code = 'SIM_LINK_MISMATCH'
  readonly statusCode = 500
}

/** A model no value can be generated for, such as one that requires itself without end. */
export class ModelNotGenerable extends SimError {
  override readonly name = 'ModelNotGenerable'
  readonly code = 'SIM_MODEL_NOT_GENERABLE'
  readonly statusCode = 500
}

/** A schema that is not a valid JSON Schema, or refers to something that is not there. */
export class ModelInvalid extends SimError {
  override readonly name = 'ModelInvalid'
  readonly code = 'SIM_MODEL_INVALID'
  readonly statusCode = 500
}

/** The same method and path were declared twice. */
export class DuplicateRoute extends SimError {
  override readonly name = 'DuplicateRoute'
  readonly code = 'SIM_DUPLICATE_ROUTE'
  readonly statusCode = 500

  constructor(method: string, path: string) {
    super(`Duplicate ${method} endpoint registered for path '${path}'`)
  }
}

/** A route or app option has a value it cannot have. The message names the route and the option. */
export class OptionInvalid extends SimError {
  override readonly name = 'OptionInvalid'
  readonly code = 'SIM_OPTION_INVALID'
  readonly statusCode = 500
}

/** Links that cannot work as declared, such as one that reads an input field that is not there. */
export class LinksInvalid extends SimError {
  override readonly name = 'LinksInvalid'
  readonly code = 'SIM_LINKS_INVALID'
  readonly statusCode = 500
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Link validation failed:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Upstream could not be reached, or closed before it answered. */
export class UpstreamUnreachable extends SimError {
  override readonly name = 'UpstreamUnreachable'
  readonly code = 'SIM_UPSTREAM_UNREACHABLE'
  readonly statusCode = 502

  constructor(origin: string, cause: unknown) {
    super(`No answer from ${origin}. Is it running, and is the host spelled right?`, { cause })
  }
}

/** Upstream accepted the request and then took too long. */
export class UpstreamTimeout extends SimError {
  override readonly name = 'UpstreamTimeout'
  readonly code = 'SIM_UPSTREAM_TIMEOUT'
  readonly statusCode = 504

  constructor(origin: string, cause: unknown) {
    super(`${origin} did not answer in time`, { cause })
  }
}

/** A client asked for a request to be forwarded to a host that the gateway does not forward to. */
export class TargetRefused extends SimError {
  override readonly name = 'TargetRefused'
  readonly code = 'SIM_TARGET_REFUSED'
  readonly statusCode = 403

  constructor(host: string, reason: string) {
    super(`The gateway does not forward to ${host}: ${reason}`)
  }
}

/** The mode asks for an upstream, and there is none for the request. */
export class TargetMissing extends SimError {
  override readonly name = 'TargetMissing'
  readonly code = 'SIM_TARGET_MISSING'
  readonly statusCode = 404

  constructor(method: string, path: string, mode: string) {
    super(
      `No upstream takes ${method} ${path}, which mode '${mode}' forwards. Start with --upstream URL, or use the gateway as a proxy`,
    )
  }
}

/** No recorded request is like the one that was to be replayed. The body names the nearest ones. */
export class NotRecorded extends SimError {
  override readonly name = 'NotRecorded'
  readonly code = 'SIM_NOT_RECORDED'
  readonly statusCode = 404
  readonly nearest: readonly unknown[]

  constructor(method: string, url: string, nearest: readonly unknown[]) {
    super(`${method} ${url} is not in the recording`)
    this.nearest = nearest
  }

  override get body(): unknown {
    return { detail: this.message, error: this.name, code: this.code, nearest: this.nearest }
  }
}

/** A command's target could not be loaded: no such module, no such attribute, or nothing in it to serve. */
export class TargetInvalid extends SimError {
  override readonly name = 'TargetInvalid'
  readonly code = 'SIM_TARGET_INVALID'
  readonly statusCode = 500
}

/** A command was called with arguments it cannot take. */
export class UsageInvalid extends SimError {
  override readonly name = 'UsageInvalid'
  readonly code = 'SIM_USAGE_INVALID'
  readonly statusCode = 500
}

/** A process that was to serve along with others ended before it could. */
export class WorkerEnded extends SimError {
  override readonly name = 'WorkerEnded'
  readonly code = 'SIM_WORKER_ENDED'
  readonly statusCode = 500
}

/** A server could not start to listen. */
export class NotListening extends SimError {
  override readonly name = 'NotListening'
  readonly code = 'SIM_NOT_LISTENING'
  readonly statusCode = 500
}

/** A recording cannot be made, written or read back. The message names the directory, or the file and line. */
export class RecordingUnusable extends SimError {
  override readonly name = 'RecordingUnusable'
  readonly code = 'SIM_RECORDING_UNUSABLE'
  readonly statusCode = 500
}

/** A page token that names no page. */
export class PageTokenInvalid extends SimError {
  override readonly name = 'PageTokenInvalid'
  readonly code = 'SIM_PAGE_TOKEN_INVALID'
  readonly statusCode = 400

  constructor() {
    super('Invalid page token')
  }

  override get body(): unknown {
    return { detail: this.message }
  }
}

/** No stored item has the id. `where` is told to the client only when errors are verbose. */
export class ItemNotFound extends SimError {
  override readonly name = 'ItemNotFound'
  readonly code = 'SIM_ITEM_NOT_FOUND'
  readonly statusCode = 404
  readonly #where: Readonly<Record<string, string>> | undefined

  constructor(where?: { readonly collection: string; readonly id_field: string; readonly id_value: string }) {
    super('Not found')
    this.#where = where
  }

  override get body(): unknown {
    return { detail: this.#where === undefined ? this.message : { detail: this.message, ...this.#where } }
  }
}

/** An item with the same id is stored already. */
export class ItemExists extends SimError {
  override readonly name = 'ItemExists'
  readonly code = 'SIM_ITEM_EXISTS'
  readonly statusCode = 409

  constructor(collection: string, id: string) {
    super(`${collection} already has an item with the id ${id}`)
  }
}

/** A collection holds as many items as it may. */
export class StoreFull extends SimError {
  override readonly name = 'StoreFull'
  readonly code = 'SIM_STORE_FULL'
  readonly statusCode = 507

  constructor(collection: string, maxItems: number) {
    super(`${collection} holds ${maxItems} items, the most it may (store.maxItems). Nothing was stored`)
  }
}

/** An answer does not fit its route's output model. */
export class ResponseInvalid extends SimError {
  override readonly name = 'ResponseInvalid'
  readonly code = 'SIM_RESPONSE_INVALID'
  readonly statusCode = 500
}

/** A strict fixture link found no value. */
export class FixtureMiss extends SimError {
  override readonly name = 'FixtureMiss'
  readonly code = 'SIM_FIXTURE_MISS'
  readonly statusCode = 500
  readonly #where: string

  constructor(where: string) {
    super(`Fixture miss: ${where}`)
    this.#where = where
  }

  override get body(): unknown {
    return { detail: 'Fixture miss', error: this.name, code: this.code, where: this.#where }
  }
}

/** A config file is missing, malformed, or holds options that cannot be: one problem each, with file, key and line. */
export class ConfigInvalid extends SimError {
  override readonly name = 'ConfigInvalid'
  readonly code = 'SIM_CONFIG_INVALID'
  readonly statusCode = 500
  readonly problems: readonly string[]

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
    this.problems = problems
  }
}

/** A file of data-only routes is malformed or holds what cannot be: one problem each, with file, line and key. */
export class RouteFileInvalid extends SimError {
  override readonly name = 'RouteFileInvalid'
  readonly code = 'SIM_ROUTE_FILE_INVALID'
  readonly statusCode = 500
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** A check of an app found problems. The message has one line for each, and their count. */
export class AppInvalid extends SimError {
  override readonly name = 'AppInvalid'
  readonly code = 'SIM_APP_INVALID'
  readonly statusCode = 500
}

/** What was recorded differs from what it was compared with. */
export class DriftFound extends SimError {
  override readonly name = 'DriftFound'
  readonly code = 'SIM_DRIFT_FOUND'
  readonly statusCode = 500

  constructor(recording: string, against: string, count: number) {
    super(`${recording} differs from ${against} in ${count} ${count === 1 ? 'way' : 'ways'}`)
  }
}

/** An export left out routes that gave no answer. The message names each, and why. */
export class ExportIncomplete extends SimError {
  override readonly name = 'ExportIncomplete'
  readonly code = 'SIM_EXPORT_INCOMPLETE'
  readonly statusCode = 500
}

/** A file that a command writes could not be written, or is there already. */
export class FileNotWritten extends SimError {
  override readonly name = 'FileNotWritten'
  readonly code = 'SIM_FILE_NOT_WRITTEN'
  readonly statusCode = 500
}

/** Items given to start a collection with do not fit it. */
export class SeedInvalid extends SimError {
  override readonly name = 'SeedInvalid'
  readonly code = 'SIM_SEED_INVALID'
  readonly statusCode = 500
}

/** A file is not a snapshot of a store. */
export class SnapshotInvalid extends SimError {
  override readonly name = 'SnapshotInvalid'
  readonly code = 'SIM_SNAPSHOT_INVALID'
  readonly statusCode = 500
}

/** A request prefers a status that the description does not declare for its operation. */
export class ResponseNotDeclared extends SimError {
  override readonly name = 'ResponseNotDeclared'
  readonly code = 'SIM_RESPONSE_NOT_DECLARED'
  readonly statusCode = 404

  constructor(route: string, status: string, declared: readonly string[]) {
    super(`${route} declares no response ${status}; it declares ${declared.join(', ') || 'none'}`)
  }
}

/** A request prefers an example that the description does not have for the response. */
export class ExampleNotDeclared extends SimError {
  override readonly name = 'ExampleNotDeclared'
  readonly code = 'SIM_EXAMPLE_NOT_DECLARED'
  readonly statusCode = 404

  constructor(route: string, example: string, declared: readonly string[]) {
    super(`${route} has no example '${example}' for this response; it has ${declared.join(', ') || 'none'}`)
  }
}

/** The response has no form that the request accepts. */
export class NotAcceptable extends SimError {
  override readonly name = 'NotAcceptable'
  readonly code = 'SIM_NOT_ACCEPTABLE'
  readonly statusCode = 406

  constructor(accept: string, types: readonly string[]) {
    super(`The request accepts ${accept}, but the response is ${types.join(' or ')}`)
  }
}

/** An API description of which nothing can be served, or which gets something wrong where that is not let pass. */
export class DescriptionInvalid extends SimError {
  override readonly name = 'DescriptionInvalid'
  readonly code = 'SIM_DESCRIPTION_INVALID'
  readonly statusCode = 500
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** TLS with an upstream could not be agreed on, as a rule because its certificate is not trusted here. */
export class UpstreamUntrusted extends SimError {
  override readonly name = 'UpstreamUntrusted'
  readonly code = 'SIM_UPSTREAM_UNTRUSTED'
  readonly statusCode = 502

  constructor(origin: string, cause: Error) {
    super(
      `No TLS with ${origin}: ${cause.message}. ` +
        'Trust its authority with --upstream-ca FILE, or leave its certificate unchecked with --insecure HOST',
      { cause },
    )
  }
}

/** A request that is no well-formed HTTP, or could be read in two ways. The connection is closed after the answer. */
export class RequestMalformed extends SimError {
  override readonly name = 'RequestMalformed'
  readonly code = 'SIM_REQUEST_MALFORMED'
  readonly statusCode: number

  constructor(reason: string, options: ErrorOptions & { readonly statusCode?: number } = {}) {
    super(`The request is malformed: ${reason}`, options)
    this.statusCode = options.statusCode ?? 400
  }

  override get headers(): Record<string, string> {
    return { connection: 'close' }
  }
}

/** The proxy asks for a user name and password that the client did not send, or sent wrongly. Never says which. */
export class ProxyAuthRequired extends SimError {
  override readonly name = 'ProxyAuthRequired'
  readonly code = 'SIM_PROXY_AUTH_REQUIRED'
  readonly statusCode = 407

  constructor() {
    super('This proxy asks for a user name and password, as in http://user:password@host:port')
  }

  override get headers(): Record<string, string> {
    return { 'proxy-authenticate': 'Basic realm="sim", charset="UTF-8"' }
  }
}

/** A request inside an intercepted tunnel asks for another host than the tunnel leads to. */
export class RequestMisdirected extends SimError {
  override readonly name = 'RequestMisdirected'
  readonly code = 'SIM_REQUEST_MISDIRECTED'
  readonly statusCode = 421

  constructor(host: string, tunnel: string) {
    super(`This connection was opened to ${tunnel}, so it cannot be used to ask ${host}`)
  }
}

/** The local certificate authority cannot be made, read or used. The message names the file and says what to do. */
export class AuthorityUnusable extends SimError {
  override readonly name = 'AuthorityUnusable'
  readonly code = 'SIM_AUTHORITY_UNUSABLE'
  readonly statusCode = 500
}

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

const MOST_TOLD = 50

/** The fixture of an adapter breaks rules of its format. */
export class FixtureInvalid extends SimError {
  override readonly name = 'FixtureInvalid'
  readonly code = 'SIM_FIXTURE_INVALID'
  readonly statusCode = 422
  readonly problems: readonly FixtureProblem[]

  constructor(problems: readonly FixtureProblem[], options?: ErrorOptions) {
    const told = problems.slice(0, MOST_TOLD).map(({ file, line, path, rule }) => {
      const place = [file ?? 'fixture', ...(line === undefined ? [] : [line])].join(':')
      return `${[place, ...(path === '' ? [] : [path])].join(' ')}: ${rule}`
    })
    const more = problems.length - told.length
    super([...told, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), options)
    this.problems = problems
  }

  override get body(): unknown {
    return { detail: this.problems, error: this.name, code: this.code }
  }
}
