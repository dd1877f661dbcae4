import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { requestsAsCalls, segmentsOf } from '../endpoints.ts'
import type { Protocol } from '../protocol.ts'
import { answer, type CouchRequest, headersFor } from './answer.ts'
import { DATABASES, DOCUMENTS, REVISION } from './databases.ts'
import type { Learned } from './known.ts'
import { learn } from './learn.ts'
import { Refusal, refused } from './refusal.ts'

const calls: CallForm = {
  isOfPaths: true,
  hasPlainTags: true,
  methods: ['GET', 'PUT', 'POST', 'DELETE'],
  roots: (samples) => [...new Set(samples.flatMap((sample) => rootOf(sample) ?? []))].slice(0, 1),
  ...requestsAsCalls,
  semantics: { learn, perform },
}

/** CouchDB and what speaks its API, such as PouchDB Server and Cloudant: databases of JSON documents with revisions. */
export const couchdb: Protocol = {
  name: 'CouchDB',
  speaks: ({ response }) => isObject(response) && (isWelcome(response) || saysRevision(response)),
  operations: () => () => undefined,
  calls,
}

function isWelcome(answered: object): boolean {
  return 'couchdb' in answered && 'version' in answered
}

function saysRevision(answered: Readonly<Record<string, unknown>>): boolean {
  const { ok, id, rev, _id, _rev } = answered
  return [
    [_id, _rev],
    [ok === true ? id : undefined, rev],
  ].some(([name, revision]) => typeof name === 'string' && REVISION.test(String(revision)))
}

// What is below a database is at least one segment deeper than it.
function rootOf(sample: Sample): string | undefined {
  const { response, method } = sample
  const path = pathOf(sample).replace(/\/$/, '')
  if (!isObject(response)) return undefined
  if (isWelcome(response)) return path
  if (!saysRevision(response) || method === 'POST') return undefined
  const [, root] = /^(.*?)\/[^/]+\/(?:_(?:design|local)\/)?[^/]+$/.exec(path) ?? []
  return root
}

/** Ids that a server makes begin alike, so that lists have them in one place. */
const ALIKE = 4

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const [databases, documents] = [all.get(DATABASES), all.get(DOCUMENTS)]
  const path = String(args['path'])
  if (databases === undefined || documents === undefined || !`${path}/`.startsWith(`${known.root}/`))
    return undefined
  const request: CouchRequest = {
    method: String(args['method']),
    path,
    segments: segmentsOf(path.slice(known.root.length)),
    query: (args['query'] ?? {}) as CouchRequest['query'],
    headers: (args['headers'] ?? {}) as CouchRequest['headers'],
    body: args['body'],
  }
  const made = (example: string, about: string): string =>
    freshLike(example, { ...fresh, seed: `${fresh.seed} ${about}` })
  const store = {
    ...{ databases: databases.items, documents: documents.items, makeDigest: made },
    makeId: (example: string, count: number) =>
      example.slice(0, ALIKE) + made(example, `id ${count}`).slice(ALIKE),
  }
  try {
    return answer(request, store, known)
  } catch (error) {
    if (error instanceof Refusal)
      return { ...refused(error, request.method, known), headers: headersFor(request, known) }
    throw error
  }
}
