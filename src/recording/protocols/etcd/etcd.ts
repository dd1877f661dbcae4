import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { grpcGateway } from '../grpc-gateway.ts'
import type { Protocol } from '../protocol.ts'
import { LEASES, type Learned, PAIRS, STATE } from './known.ts'
import { learn } from './learn.ts'
import { operationCalled } from './operations.ts'
import { Refusal, refused } from './refusal.ts'

const form = grpcGateway.calls
const PATH = /^(.*?\/v3(?:alpha|beta)?)\/(?:kv|lease)\/\w+$/

/** etcd 3 by its gateway of JSON: pairs of keys and values with revisions, transactions and leases. */
export const etcd: Protocol = {
  name: 'etcd',
  speaks: ({ method, response }) => method === 'POST' && isObject(response) && hasHeader(response),
  operations: () => () => undefined,
  ...(form !== undefined && {
    calls: {
      ...form,
      roots: (samples: readonly Sample[]) => [
        ...new Set(samples.flatMap((sample) => PATH.exec(pathOf(sample))?.[1] ?? [])),
      ],
      semantics: { learn, perform },
    } satisfies CallForm,
  }),
}

function hasHeader(answered: Readonly<Record<string, unknown>>): boolean {
  const { result, header = isObject(result) ? result['header'] : undefined } = answered
  return isObject(header) && 'cluster_id' in header && 'revision' in header
}

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { name, args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const [pairs, leases, state] = [all.get(PAIRS), all.get(LEASES), all.get(STATE)]
  const operation = operationCalled(name)
  const isBelow = name.startsWith(`${known.root}/`)
  if (pairs === undefined || leases === undefined || state === undefined || !isBelow) return undefined
  if (operation === undefined) return undefined
  const made = (example: string): string => freshLike(example, fresh)
  try {
    return operation(args, { pairs: pairs.items, leases: leases.items, state: state.items, made }, known)
  } catch (error) {
    if (error instanceof Refusal) return refused(error, known.refusals)
    throw error
  }
}
