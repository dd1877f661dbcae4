import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { endpointBelow, NO_PAGE, requestsAsCalls } from '../endpoints.ts'
import type { Protocol } from '../protocol.ts'
import { type Family, writeFamilies } from './families.ts'
import {
  allFamilies,
  BadPath,
  conflictsOf,
  emptyGroup,
  type Group,
  groupingKeyIn,
  groupKey,
  itemOf,
  labelsIn,
  shownGroup,
  TIME_NAMES,
} from './groups.ts'
import { GROUPS, learn, type Learned, WIPE } from './learn.ts'
import { BadText, readExposition } from './read-exposition.ts'

const calls: CallForm = {
  isOfPaths: true,
  hasPlainTags: true,
  methods: ['GET', 'PUT', 'POST', 'DELETE'],
  roots: (samples) => [...new Set(samples.flatMap((sample) => rootOf(sample) ?? []))],
  ...requestsAsCalls,
  semantics: { learn, perform },
}

/** Prometheus' Pushgateway: metrics that are pushed as text to groups, which paths name by their labels. */
export const pushgateway: Protocol = {
  name: 'Pushgateway',
  speaks: (sample) => rootOf(sample) !== undefined,
  operations: () => () => undefined,
  calls,
}

const PUSH = /^(.*)\/metrics\/job(?:%40base64)?\/[^/]+(?:\/|$)/s

// VictoriaMetrics takes such paths, too, and answers with 204.
function rootOf(sample: Sample): string | undefined {
  const { method, status, response } = sample
  const path = pathOf(sample)
  const done = method === 'DELETE' ? 202 : method === 'PUT' || method === 'POST' ? 200 : undefined
  const [, root] = PUSH.exec(path) ?? []
  if (root !== undefined) return status === done || (done !== undefined && status === 400) ? root : undefined
  const data = isObject(response) ? response['data'] : undefined
  const isList = method === 'GET' && path.endsWith(LIST) && Array.isArray(data) && data.length > 0
  const isIts = isList && data.every((each) => isObject(each) && 'last_push_successful' in each)
  return isIts ? path.slice(0, -LIST.length) : undefined
}

const LIST = '/api/v1/metrics'

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const items = all.get(GROUPS)?.items
  const endpoint = endpointBelow(call, known.root)
  if (items === undefined || endpoint === undefined) return undefined
  const groups = [...items.values()] as unknown as readonly Group[]
  const isRead = call.name === 'GET'
  if (endpoint === 'metrics' && isRead) {
    const own = new Map(Object.entries(known.own))
    return {
      ...{ status: 200, headers: { 'content-type': known.type } },
      value: writeFamilies(allFamilies(groups, own)),
    }
  }
  if (endpoint === 'api/v1/metrics' && isRead)
    return {
      ...{ status: 200, headers: { 'content-type': 'application/json' } },
      value: { status: 'success', data: groups.map(shownGroup) },
    }
  if (endpoint === WIPE && call.name === 'PUT' && known.endpoints.includes(WIPE)) {
    for (const group of groups) items.delete(groupKey(group.labels))
    return DONE
  }
  const key = groupingKeyIn(endpoint)
  if (key === undefined) return known.endpoints.includes(endpoint) ? undefined : NO_PAGE
  if (isRead) return refused('Method Not Allowed', 405, { allow: 'DELETE, OPTIONS, POST, PUT' })
  try {
    const labels = labelsIn(key)
    if (call.name !== 'DELETE') return push(call, items, labels, { groups, known, now: fresh.now })
    items.delete(groupKey(labels))
    return DONE
  } catch (error) {
    if (error instanceof BadPath) return refused(error.message)
    if (error instanceof BadText) return refused(`${error.message}\n`)
    throw error
  }
}

const DONE: CallOutcome = { status: 202, value: '' }

function refused(error: string, status = 400, headers: Readonly<Record<string, string>> = {}): CallOutcome {
  return {
    ...{ status, error: error.endsWith('\n') ? error : `${error}\n` },
    headers: {
      ...{ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      ...headers,
    },
  }
}

function push(
  { name, args }: Call,
  items: Objects['items'],
  labels: Group['labels'],
  {
    groups,
    known,
    now,
  }: { readonly groups: readonly Group[]; readonly known: Learned; readonly now: number },
): CallOutcome {
  const { families, hasTimes } = readExposition(textOf(args['body']))
  const key = groupKey(labels)
  const before = groups.find((each) => groupKey(each.labels) === key) ?? emptyGroup(labels)
  const pushed = new Map(
    [...families].flatMap(([family, { metrics, ...rest }]): [string, Family & { at: number }][] => {
      const own = metrics.map((metric) => ({
        ...metric,
        labels: { instance: '', ...metric.labels, ...labels },
      }))
      return TIME_NAMES.has(family) ? [] : [[family, { ...rest, metrics: own, at: now }]]
    }),
  )
  const others = groups.filter((each) => each !== before)
  const found = hasTimes
    ? ['pushed metrics must not have timestamps']
    : conflictsOf(pushed, allFamilies(others, new Map(Object.entries(known.own))))
  if (found.length > 0) {
    items.set(key, itemOf({ ...before, failed: now }))
    const listed =
      found.length === 1
        ? found.join('')
        : `${found.length} error(s) occurred:${found.map((each) => `\n* ${each}`).join('')}`
    return refused(`pushed metrics are invalid or inconsistent with existing metrics: ${listed}`)
  }
  const kept = name === 'PUT' ? {} : before.families
  items.set(
    key,
    itemOf({
      ...before,
      families: { ...kept, ...Object.fromEntries(pushed) },
      pushed: now,
    }),
  )
  return { status: 200, value: '' }
}

// Clients often call a text a form, where its first `=` ends a name, and a plus is a space.
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (!isObject(body)) return ''
  return Object.entries(body)
    .map(([name, value]) => (value === '' ? name : `${name}=${String(value)}`))
    .join('&')
    .replaceAll('" Inf"', '"+Inf"')
}
