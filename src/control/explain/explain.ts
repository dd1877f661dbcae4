import { createObserver } from '../../engine/observer.ts'
import { SimError } from '../../errors.ts'
import { createBodyContent, parseContent } from '../../http/body-content.ts'
import { isJson } from '../../http/headers.ts'
import type { MemoryResponse } from '../../http/memory-transport.ts'
import { parseQuery } from '../../engine/query.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import type { Redactor } from '../../recording/redaction/redactor.ts'
import { segmentsOf } from '../../routing/path-template.ts'
import type { RecordedRequest } from '../../state/journal-record.ts'
import { defineOperation, fields, type ControlRequest } from '../operation.ts'
import { compare, requestAgain, routeOf, runAgain } from './again.ts'
import { leavesOf, type SentValue } from './leaves.ts'
import { watchStore, type SeenItem } from './watched-store.ts'
import { watchPlugins, type Verdict } from './watched-plugins.ts'
import { nearestRoutes } from './why-route.ts'

const text = { type: 'string' }
const ID: Schema = { type: 'integer', minimum: 1, description: 'Its number in the journal of any session' }

/** What names a request of the journal. */
export const BY_ID = fields({ id: ID })

const LEAF: Schema = {
  type: 'object',
  properties: {
    pointer: { ...text, description: 'JSON pointer into the body' },
    origin: {
      enum: [
        ...['link', 'seed', 'store', 'input', 'example', 'default', 'const', 'enum', 'page-table'],
        ...['policy', 'error', 'computed'],
      ],
    },
    detail: { ...text, description: 'The same for people' },
  },
  required: ['pointer', 'origin', 'detail'],
  additionalProperties: text,
}

const EXPLANATION = fields({
  id: ID,
  request: fields({ method: text, url: text, host: text }),
  answered_by: {
    enum: ['route', 'store', 'adapter', 'upstream', 'recording', 'fault', 'override', 'gateway'],
  },
  mode: text,
  route: { ...text, description: 'The declared route that got it; absent where none did' },
  params: { type: 'object', additionalProperties: text },
  place: { ...text, description: 'Where its description says it' },
  misses: {
    type: 'array',
    description: 'The routes that came nearest besides, the nearest first, and why they did not get it',
    items: fields({
      route: text,
      reason: { enum: ['method', 'path', 'host', 'condition', 'precedence'] },
      detail: text,
    }),
  },
  steps: {
    type: 'array',
    description: 'The policies in the order in which it met them',
    items: fields({
      name: text,
      verdict: { enum: ['passed', 'answered', 'refused', 'changed'] },
      status: { type: 'integer' },
      detail: text,
    }),
  },
  chaos: { type: 'array', items: text },
  state: fields({
    time: { type: 'string', format: 'date-time' },
    seed: { type: ['integer', 'string'] },
    ordinal: { type: 'integer', description: 'How many requests of the route came before' },
    changes: { type: 'integer', description: 'How many changes of the store came before' },
  }),
  timing: fields({ total_ms: { type: 'number' } }),
  rerun: fields({
    done: { type: 'boolean', description: 'Whether it was run again on the state that it met' },
    same: { type: 'boolean', description: 'Whether that gave what was sent' },
    compared: { enum: ['bytes', 'length', 'status'] },
    error: text,
    detail: text,
  }),
  leaves: { type: 'array', description: 'Where each value of a JSON body comes from', items: LEAF },
  leaves_left_out: { type: 'integer' },
})

/** Why a request was answered as it was. */
export const explain = defineOperation(
  'GET',
  '/requests/{id}/explain',
  {
    scope: { reads: ['journal'] },
    tag: 'requests',
    summary: 'Why a request of the journal was answered as it was',
    description:
      'Which route it was for and which others nearly, what each policy did, and where each value of its body comes ' +
      'from. It is run again on the state that it met, apart from all others; `rerun` says whether that gave what was sent.',
    input: BY_ID,
    output: EXPLANATION,
  },
  ({ id }, request) => explanationOf(...requestAgain(Number(id), request)),
)

async function explanationOf(record: RecordedRequest, request: ControlRequest): Promise<unknown> {
  const { engine } = request
  const entry = record.toEntry()
  const route = routeOf(record, request)
  const address = await addressOf(record)
  const match = engine.match(address)
  const hide = hiderOf(record.head.path, request.session.redactor)
  const again = await explainAgain(record, request, match?.params ?? {})
  const { version, storeVersion, ordinal } = record
  return {
    id: record.id,
    request: { method: entry.method, url: entry.url, host: entry.host },
    answered_by: answeredBy(record, again.items),
    mode: record.mode,
    ...(route !== undefined && { route: route.key, params: hideAll(match?.params ?? {}, hide) }),
    ...(route?.operation !== undefined && { place: route.operation.place }),
    misses: nearestRoutes(address, engine.routes, route, hide),
    steps: again.steps,
    ...(entry.chaos !== undefined && { chaos: entry.chaos }),
    state: {
      time: entry.time,
      ...(version !== undefined && { seed: version.seed }),
      ordinal,
      ...(storeVersion !== undefined && { changes: storeVersion }),
    },
    timing: { total_ms: record.durationMs },
    rerun: again.rerun,
    leaves: again.leaves,
    leaves_left_out: again.left,
  }
}

function answeredBy({ chaos, source }: RecordedRequest, items: readonly SeenItem[]): string {
  if (chaos?.override !== undefined) return 'override'
  if (chaos?.fault !== undefined || chaos?.status !== undefined) return 'fault'
  if (source === 'engine') return items.length > 0 ? 'store' : 'route'
  return source ?? 'gateway'
}

// What is a segment of the path, as recordings have it.
function hiderOf(path: string, redactor: Redactor): (segment: string) => string {
  const [own, hidden] = [segmentsOf(path), segmentsOf(redactor.url(path))]
  return (segment) =>
    (own.length === hidden.length ? hidden[own.indexOf(segment)] : undefined) ??
    redactor.url(`/${segment}`).slice(1)
}

function hideAll(params: Readonly<Record<string, string>>, hide: (text: string) => string) {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, hide(value)]))
}

async function addressOf(record: RecordedRequest) {
  const { method, head, sent } = record
  const type = head.headers['content-type']
  const parsed = await parseContent(
    Buffer.from(sent ?? '', 'latin1'),
    type === undefined ? undefined : String(type),
  ).catch(() => undefined)
  return { ...head, method, content: createBodyContent(parsed) }
}

interface Again {
  readonly rerun: unknown
  readonly steps: readonly Verdict[]
  readonly items: readonly SeenItem[]
  readonly leaves: readonly unknown[]
  readonly left: number
}

async function explainAgain(
  record: RecordedRequest,
  request: ControlRequest,
  params: Readonly<Record<string, string>>,
): Promise<Again> {
  const observed = createObserver()
  const items: SeenItem[] = []
  const steps: Verdict[] = []
  const watch = {
    observer: observed,
    plugins: (plugins: Parameters<typeof watchPlugins>[0]) =>
      watchPlugins(plugins, (verdict) => void steps.push(verdict)),
  }
  try {
    const { response } = await runAgain(record, request, watch, (store) =>
      watchStore(store, (item) => void items.push(item)),
    )
    const body = jsonOf(response)
    const sent = sentBy(record, params)
    const { leaves, left } =
      body === undefined
        ? { leaves: [], left: 0 }
        : leavesOf(body.value, { observed, items, sent, rest: restOf(steps, record, request) })
    return { rerun: { done: true, ...compare(record, response) }, steps, items, leaves, left }
  } catch (error) {
    if (!SimError.is(error)) throw error
    const rerun = { done: false, error: error.code, detail: error.message }
    return { rerun, steps: [], items: [], leaves: [], left: 0 }
  }
}

function jsonOf({ headers, body }: MemoryResponse): { readonly value: unknown } | undefined {
  if (!isJson(headers) || body.length === 0) return undefined
  try {
    return { value: JSON.parse(body.toString()) }
  } catch {
    return undefined
  }
}

function restOf(steps: readonly Verdict[], record: RecordedRequest, parts: ControlRequest) {
  const { errorCode } = record
  const ended = steps.find(({ verdict }) => verdict === 'answered' || verdict === 'refused')
  if (ended !== undefined)
    return { origin: 'policy', policy: ended.name, detail: `the policy ${ended.name} answered` }
  if (errorCode !== undefined)
    return { origin: 'error', error: errorCode, detail: `said by the error ${errorCode}` }
  if (routeOf(record, parts)?.graphql !== undefined)
    return {
      origin: 'computed',
      detail: 'resolved by the schema, from the seed where nothing of it is stored',
    }
  return { origin: 'computed', detail: 'worked out by the route, as counts, links and pages are' }
}

function sentBy(
  { head, requestBody, method }: RecordedRequest,
  params: Readonly<Record<string, string>>,
): SentValue[] {
  const sent: SentValue[] = []
  const add = (place: string, name: string, value: unknown, isContent = false): void => {
    sent.push({ name, place, value, isContent })
    // The text of a number is one, where it is read as that.
    if (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)))
      sent.push({ name, place, value: Number(value), isContent })
  }
  // Items of a list are called what the list is.
  const walk = (value: unknown, name: string): void => {
    if (value === null || typeof value !== 'object')
      return void sent.push({ name, place: 'body', value, isContent: method !== 'GET' })
    for (const [key, each] of Object.entries(value)) walk(each, Array.isArray(value) ? name : key)
  }
  if (isObject(requestBody) || Array.isArray(requestBody)) walk(requestBody, '')
  for (const [name, value] of Object.entries(params)) add('path', name, value)
  for (const [name, values] of Object.entries(parseQuery(head.search)))
    for (const value of [values].flat()) add('query', name, value)
  return sent
}
