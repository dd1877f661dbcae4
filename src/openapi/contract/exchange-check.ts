import { refusalOf } from '../../../plugins/auth.ts'
import { violationAt, type ContractNotes, type ContractViolation } from '../../engine/contract-violation.ts'
import {
  MediaTypeUnsupported,
  MethodNotAllowed,
  RequestViolatesContract,
  ResponseViolatesContract,
  RouteNotFound,
} from '../../errors.ts'
import type { Awaitable, FlatHeaders } from '../../message.ts'
import type { CheckedRequest, ContractCheck } from '../../pipeline/contract.ts'
import { ruleOf } from '../serve/choose-response.ts'
import { valueIn, type AnswerHead } from './check-answer.ts'
import type { BodyFinding } from './check-body.ts'
import type { DescribedOperation } from './described-operation.ts'

type Pairs = readonly (readonly [string, string])[]

/** What checks of one contract share. */
export interface CheckHost {
  readonly isEnforced: boolean
  readonly bodyLimit: number
  /** A flat list of pairs. */
  flat(pairs: Pairs): FlatHeaders
  /** Hears of each violation. */
  violated(violation: ContractViolation, request: CheckedRequest, operation: string | undefined): void
  /** Hears of what is described and could not be looked at. */
  left(reason: string, request: CheckedRequest, operation: string): void
  /** The methods that a path is declared with. */
  allowed(request: CheckedRequest): readonly string[]
}

/** The look at one exchange with its operation; with none, all there is to say is that it is not declared. */
export class ExchangeCheck implements ContractCheck {
  readonly notes: ContractNotes = { violations: [], unchecked: [] }
  readonly #host: CheckHost
  readonly #request: CheckedRequest
  readonly #operation: DescribedOperation | undefined
  #head: AnswerHead | undefined
  #wantsRequestBody = false

  constructor(
    host: CheckHost,
    request: CheckedRequest,
    hasBody: boolean,
    operation: DescribedOperation | undefined,
    params: Readonly<Record<string, string>>,
  ) {
    this.#host = host
    this.#request = request
    this.#operation = operation
    if (operation === undefined) this.#noteUndeclared()
    else this.#begin(operation, hasBody, params)
  }

  #begin(operation: DescribedOperation, hasBody: boolean, params: Readonly<Record<string, string>>): void {
    const request = this.#request
    const { counts } = operation
    counts.requests++
    this.#add(
      operation.request.head(request, hasBody, params, (index) => {
        counts.parameters[index] = (counts.parameters[index] ?? 0) + 1
      }),
    )
    const range = operation.request.mediaTypeOf(request, hasBody)
    if (range !== undefined) counts.request(range)
    this.#wantsRequestBody = range !== undefined
  }

  get isEnforced(): boolean {
    return this.#host.isEnforced
  }

  get bodyLimit(): number {
    return this.#host.bodyLimit
  }

  get wantsRequestBody(): boolean {
    return this.#wantsRequestBody
  }

  get wantsAnswer(): boolean {
    return this.#operation !== undefined
  }

  requestBody(bytes: Buffer | undefined): Awaitable<void> {
    const operation = this.#operation
    if (!this.#wantsRequestBody || operation === undefined) return undefined
    // It is looked at once, whoever else reads it.
    this.#wantsRequestBody = false
    if (bytes === undefined) return this.#leave(`the request body: it is longer than ${this.bodyLimit} bytes`)
    const take = (found: BodyFinding): void => {
      this.#take(found, 'the request body')
      const { value } = found
      const range = operation.request.mediaTypeOf(this.#request, true)
      if (value !== undefined && range !== undefined) operation.counts.request(range, value)
    }
    const found = operation.request.body(this.#request, bytes)
    return found instanceof Promise ? found.then(take) : take(found)
  }

  answerInPairs(status: number, headers: Pairs): boolean {
    return this.#operation !== undefined && this.answer(status, this.#host.flat(headers))
  }

  answer(status: number, headers: FlatHeaders): boolean {
    const operation = this.#operation
    if (operation === undefined) return false
    const { method, headers: sent } = this.#request
    const isPart = sent['range'] !== undefined
    const head = operation.answer(method, status, headers, isPart)
    this.#head = head
    const { rule, range, unchecked } = head
    if (rule !== undefined) operation.counts.answer(rule, range)
    this.#add(head.violations)
    if (unchecked !== undefined) this.#leave(`the answer's body: ${unchecked}`)
    if (head.body === undefined) return false
    const length = Number(valueIn(headers, 'content-length') ?? 0)
    if (length <= this.bodyLimit) return true
    void this.answerBody(undefined)
    return false
  }

  answerBody(bytes: Uint8Array | undefined): Awaitable<void> {
    const [operation, head] = [this.#operation, this.#head]
    if (operation === undefined || head?.body === undefined) return undefined
    if (bytes === undefined || bytes.length > this.bodyLimit)
      return this.#leave(`the answer's body: it is longer than ${this.bodyLimit} bytes`)
    const take = (found: BodyFinding): void => {
      this.#take(found, "the answer's body")
      const { value } = found
      if (value !== undefined && head.rule !== undefined)
        operation.counts.answer(head.rule, head.range, value)
    }
    const found = head.body(bytes)
    return found instanceof Promise ? found.then(take) : take(found)
  }

  refusal(): Error {
    const { method, path } = this.#request
    const own = this.notes.violations.filter(({ side }) => side === 'request')
    const hasRule = (rule: string): boolean => own.some((each) => each.rule === rule)
    const operation = this.#operation
    if (operation === undefined) {
      const allowed = this.#host.allowed(this.#request)
      return allowed.length > 0
        ? new MethodNotAllowed(method, path, allowed)
        : new RouteNotFound(
            method,
            path,
            'The description that requests are checked against does not have it',
          )
    }
    if (hasRule('security')) return refusalOf(operation.request.credentials(this.#request))
    if (hasRule('media-type')) {
      const given = String(this.#request.headers['content-type'] ?? '')
      return new MediaTypeUnsupported(`The content type '${given}'`, [
        ...(operation.description.body?.content.keys() ?? []),
      ])
    }
    const { responses } = operation.description
    const isDeclared = (status: number): boolean => ruleOf(responses, status)?.status === status
    return new RequestViolatesContract(operation.key, own, !isDeclared(422) && isDeclared(400) ? 400 : 422)
  }

  answerRefusal(): Error {
    const own = this.notes.violations.filter(({ side }) => side === 'response')
    return new ResponseViolatesContract(this.#operation?.key ?? '', own)
  }

  #noteUndeclared(): void {
    const { method } = this.#request
    const allowed = this.#host.allowed(this.#request)
    const others = allowed.length > 0 ? `; declared: ${allowed.join(', ')}` : ''
    const what = allowed.length > 0 ? `${method} is not declared for this path` : `The path is not declared`
    this.#add([violationAt('request', 'operation', [], 'operation', `${what}${others}`)])
  }

  #take({ violations, unchecked }: BodyFinding, what: string): void {
    this.#add(violations)
    if (unchecked !== undefined) this.#leave(`${what}: ${unchecked}`)
  }

  #leave(reason: string): void {
    this.notes.unchecked.push(reason)
    this.#host.left(reason, this.#request, this.#operation?.key ?? '')
  }

  #add(violations: readonly ContractViolation[]): void {
    for (const each of violations) {
      this.notes.violations.push(each)
      this.#operation?.counts.violated(each)
      this.#host.violated(each, this.#request, this.#operation?.key)
    }
  }
}
