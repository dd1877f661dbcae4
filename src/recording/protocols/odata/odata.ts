import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import type { Protocol } from '../protocol.ts'
import { batchOutcomes, batchReference, noteBatch, readBatch, writeBatch } from './batch.ts'
import { entitiesOf } from './entities.ts'
import { learn, saysService } from './learn.ts'
import { read } from './read.ts'
import { Refusal, refused } from './refusal.ts'
import type { ODataRequest } from './request.ts'
import { resolvePath } from './resource-path.ts'
import { plainPath, rootIn } from './seen.ts'
import { membersIn, type Service } from './service.ts'
import { toVersion3 } from './version-3.ts'
import { write } from './write.ts'
import { segmentsBelow } from './segments.ts'

const calls: CallForm = {
  isOfPaths: true,
  isSelecting: true,
  roots: (samples) => [
    ...new Set(
      samples.flatMap(
        (sample) => rootIn(plainPath(pathOf(sample)), sample.status < 300 && sample.response) ?? [],
      ),
    ),
  ],
  read(request) {
    if (request.path === undefined) return undefined
    const { method = 'GET', query, headers, body } = request
    const path = plainPath(request.path)
    const own: Call = { name: method, args: { method, path, query, headers, body } }
    return path.endsWith('/$batch') ? readBatch({ ...request, path }) : [own]
  },
  outcomes({ status, body, headers = {} }, called) {
    if (called.some(({ args }) => args['batch'] !== undefined)) return batchOutcomes(body, called.length)
    return [{ ...(status < 400 ? { value: body } : { error: body }), status, headers: textsOf(headers) }]
  },
  write(outcomes, request) {
    if (plainPath(request.path ?? '').endsWith('/$batch')) return writeBatch(outcomes, request)
    const [{ error, status = 200, value, headers = {} } = {}] = outcomes
    return { status, body: error ?? value, headers }
  },
  semantics: { learn: (seen) => learn(seen, perform), perform },
}

// Answers in batches may say how long they are.
function withLength(outcome: CallOutcome, { batch }: Call['args'], { style }: Service): CallOutcome {
  const content = outcome.error ?? outcome.value
  if (batch === undefined || !style.hasLengths || content === undefined) return outcome
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { ...outcome, headers: { ...outcome.headers, 'content-length': String(Buffer.byteLength(text)) } }
}

function textsOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** OData 4, and the JSON of OData 3: a service of entities below one root, which `$metadata` describes. */
export const odata: Protocol = {
  name: 'OData',
  speaks: ({ responseHeaders, response, headers }) =>
    VERSIONS.some((name) => name in responseHeaders || name in headers) || saysService(response),
  operations: () => () => undefined,
  calls,
}

// Of version 4, and of those before it.
const VERSIONS = ['odata-version', 'dataserviceversion']

// Answers as clients of the service's version read them.
function asVersion(outcome: CallOutcome, { style }: Service): CallOutcome {
  return style.isVersion3 === true ? { ...outcome, value: toVersion3(outcome.value) } : outcome
}

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const service = learned as unknown as Service
  const path = batchReference(args)
  if (path === undefined || !`${path}/`.startsWith(`${service.root}/`)) return undefined
  const entities = entitiesOf(service, all)
  const request: ODataRequest = {
    method: String(args['method']),
    segments: segmentsBelow(path.slice(service.root.length)),
    query: membersIn(args['query']),
    headers: membersIn(args['headers']),
    body: args['body'],
    fresh,
  }
  try {
    const target = resolvePath(entities, request.segments)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const outcome = isReading ? read(entities, request, target) : write(entities, request, target)
    if (outcome !== undefined) noteBatch(args, outcome, service)
    return outcome && withLength(asVersion(outcome, service), args, service)
  } catch (error) {
    if (error instanceof Refusal) return withLength(refused(error, service), args, service)
    // What is not known of a set, the service would have to say.
    if (error instanceof TypeError) return undefined
    throw error
  }
}
