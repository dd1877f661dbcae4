import { isObject } from '../../engine/schema/schema.ts'
import type { CallForm } from '../calls/call.ts'
import type { Sample } from '../inference/sample.ts'
import { type Protocol, textOf } from './protocol.ts'

type Members = Readonly<Record<string, unknown>>

/** The members of a body that name what is called, that hold its arguments, and that may be beside them. */
const NAMES = ['command', 'cmd', 'method', 'action', 'execute', 'operation', 'op', 'function']
const ARGUMENTS = ['arguments', 'args', 'params', 'parameters', 'payload', 'data']
const ASIDE = ['service', 'tag', 'version', 'id', 'token', 'session', 'key', 'auth', 'seq']

/** The members of an answer that hold what came of it, and that say how it went. */
const RESULTS = ['arguments', 'data', 'return', 'response', 'value', 'result']
const VERDICTS = ['result', 'status', 'success', 'ok', 'code', 'error', 'return']
const FINE = /^(ok|success(ful(ly)?)?|done|0)$/i

const calls: CallForm = {
  read({ body }) {
    const named = nameIn(body)
    if (named === undefined || !isObject(body)) return undefined
    const args = ARGUMENTS.map((name) => body[name]).find((each) => isObject(each))
    return [{ name: named.name, args: isObject(args) ? args : {} }]
  },
  outcomes({ body, status }) {
    const answer = answerIn(body)
    if (answer === undefined) return undefined
    return [isFailed(answer, status) ? { error: answer, status } : { value: answer }]
  },
  write([outcome = {}], { body }) {
    const { value, error, status = 200 } = outcome
    const answer = error ?? value
    // Clients know answers by what they sent with the call.
    const tag = isObject(body) ? body['tag'] : undefined
    const own = isObject(answer) && 'tag' in answer ? { ...answer, tag } : answer
    return { status: error === undefined ? 200 : status, body: isOfServices(body) ? [own] : own }
  },
}

/**
 * Commands as JSON, each named by a member of the body and with its arguments in another, as Transmission, Kea and many
 * others take them: `{ "command": "lease4-get", "arguments": {…} }`.
 */
export const jsonCommands: Protocol = {
  name: 'JSON commands',
  // Malformed commands are refused, perhaps with the status of all other answers.
  speaks({ method, body, response, status }) {
    const answer = answerIn(response)
    return (
      method === 'POST' && answer !== undefined && (nameIn(body) !== undefined || isFailed(answer, status))
    )
  },
  operations: () => (sample) => {
    const { member, name } = nameIn(sample.body) ?? {}
    return member === undefined || name === undefined
      ? undefined
      : { name, when: { pointer: `/${member}`, equals: name } }
  },
  calls,
  isUnknown: ({ response, status }: Sample) => {
    const answer = answerIn(response)
    return answer !== undefined && isFailed(answer, status) && UNKNOWN.test(JSON.stringify(answer))
  },
}

const UNKNOWN =
  /\b(no such|unknown|unsupported|unrecognized) (command|method|action|operation)\b|\b(command|method|action|operation)\b.*\b(not (found|supported|recognized|implemented)|unknown|unsupported)\b/i

// Nothing but the name, the arguments, and what is said of the call itself.
function nameIn(body: unknown): { readonly member: string; readonly name: string } | undefined {
  if (!isObject(body)) return undefined
  const member = NAMES.find((each) => textOf(body[each]) !== undefined)
  const others = Object.keys(body).filter((name) => name !== member)
  const isCall = others.every((name) => ARGUMENTS.includes(name) || ASIDE.includes(name))
  return member === undefined || !isCall ? undefined : { member, name: String(body[member]) }
}

/** What was answered, which is in a list where a request names the services that are to answer. */
function answerIn(response: unknown): Members | undefined {
  const answer = Array.isArray(response) && response.length === 1 ? (response[0] as unknown) : response
  return isObject(answer) && VERDICTS.some((name) => Object.hasOwn(answer, name)) ? answer : undefined
}

function isOfServices(body: unknown): boolean {
  return isObject(body) && Array.isArray(body['service'])
}

function isFailed(answer: Members, status: number): boolean {
  const { error, success, ok, result } = answer
  if (status >= 400 || success === false || ok === false) return true
  if (error !== undefined && error !== null && error !== false && error !== '') return true
  const isVerdict = typeof result === 'number' || (typeof result === 'string' && !FINE.test(result))
  const others = RESULTS.filter((name) => name !== 'result')
  const hasResult = others.some((name) => isObject(answer[name]) && Object.keys(answer[name]).length > 0)
  return isVerdict && !FINE.test(String(result)) && !hasResult
}
