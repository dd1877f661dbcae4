import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import type { Call, CallForm, CallRequest, SeenCall } from '../../calls/call.ts'
import { type Objects, plainType } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import type { Protocol } from '../protocol.ts'
import { isCommand } from './command-names.ts'
import { runCommand } from './commands.ts'
import { KEY, keysBefore } from './learn.ts'
import type { Reply } from './reply.ts'
import { Store } from './store.ts'

const calls: CallForm = {
  isOfPaths: true,
  hasPlainTags: true,
  hasAnyValues: true,
  // Databases other than the first are not known.
  roots: () => [''],
  read(request) {
    const command = commandIn(request)
    return command && [{ name: command.name, args: { ...command } }]
  },
  outcomes: ({ status, body }) => [status < 400 ? { value: body, status } : { error: body, status }],
  write: ([{ value, status = 200 } = {}]) => ({ status, body: value }),
  semantics: { learn, perform },
}

/** Redis behind Webdis: a command and its arguments are the segments of the path. */
export const webdis: Protocol = {
  name: 'Webdis',
  speaks,
  operations: () => () => undefined,
  calls,
}

// Other servers answer `{ "keys": … }` at `/keys`, too, and say that they are others.
function speaks(sample: Sample): boolean {
  const command = commandIn({ ...sample, path: pathOf(sample) })
  const { response, responseHeaders } = sample
  const { server } = responseHeaders
  if (command === undefined || (server !== undefined && server !== 'Webdis')) return false
  if (command.isText) return server !== undefined
  const isIts = isObject(response) && Object.keys(response).join() === command.name
  return (
    isIts &&
    (server !== undefined || (/^[A-Z]+$/.test(command.name) && isCommand(command.name.toLowerCase())))
  )
}

interface Command {
  readonly name: string
  readonly words: readonly string[]
  /** Whether it is answered with a text rather than JSON. */
  readonly isText: boolean
}

/** What the path of a request names, or its body: `/SET/a/b`, `/GET/a.txt`, the last argument of a PUT. */
function commandIn({ method = 'GET', path = '', query, body }: CallRequest): Command | undefined {
  if (!/^(GET|POST|PUT)$/.test(method) || Object.keys(query).length > 0) return undefined
  const isPosted = method === 'POST'
  const line = isPosted ? textOf(body) : path.slice(1)
  const parts = (line ?? '').split('/').map(decodeSegment)
  const [first = '', ...rest] = parts[0] === '0' ? parts.slice(1) : parts
  const last = [first, ...rest].at(-1) ?? ''
  const [, plain = last, form] = /^(.*)\.(json|txt|raw|html?|xml|png|jpe?g)$/s.exec(last) ?? []
  const isOther = form !== undefined && form !== 'json' && form !== 'txt'
  const [name, ...words] = [...[first, ...rest].slice(0, -1), plain]
  if (!/^[a-z]\w*$/i.test(name) || isOther) return undefined
  const sent = method === 'PUT' ? textOf(body) : undefined
  return { name, words: sent === undefined ? words : [...words, sent], isText: form === 'txt' }
}

// Clients often call a body a form that is none.
function textOf(body: unknown): string | undefined {
  const [only, ...others] = isObject(body) ? Object.entries(body) : []
  if (only?.[1] === '' && others.length === 0) return only[0]
  return typeof body === 'string' ? body : undefined
}

function learn(seen: readonly SeenCall[]): Pick<CallModel, 'types' | 'learned'> {
  const commands = seen.flatMap(({ call, outcome: { value } }) => {
    const { name, words } = call.args as unknown as Command
    return [{ name, args: words, reply: isObject(value) && Object.hasOwn(value, name) ? value[name] : value }]
  })
  const items = keysBefore(commands)
  return { types: { [KEY]: plainType('key', items) }, learned: {} }
}

function perform(
  _model: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const { name, words, isText } = args as unknown as Command
  const keys = all.get(KEY)
  const reply = keys && runCommand(name, words, new Store(keys.items, fresh.now))
  if (reply === undefined) return undefined
  if (!isText) return { status: 200, value: { [name]: valueOf(name, reply) } }
  const headers = { 'content-type': 'text/plain' }
  return reply === null ? { status: 404, value: '' } : { status: 200, headers, value: textIn(reply) }
}

function valueOf(name: string, reply: Reply): unknown {
  if (reply === null || typeof reply !== 'object') return reply
  if ('ok' in reply) return [true, reply.ok]
  if ('error' in reply) return [false, reply.error]
  if (name.toLowerCase() !== 'hgetall') return reply
  return Object.fromEntries(reply.flatMap((each, at) => (at % 2 === 0 ? [[each, reply[at + 1]]] : [])))
}

function textIn(reply: Reply): string {
  if (reply === null || typeof reply !== 'object') return String(reply ?? '')
  return 'ok' in reply ? reply.ok : 'error' in reply ? reply.error : reply.map(textIn).join('')
}
