import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { requestsAsCalls } from '../endpoints.ts'
import type { Protocol } from '../protocol.ts'
import { answer } from './answer.ts'
import { learn } from './learn.ts'
import { PACKAGES, refused, Refusal, requestOf, TOKENS, USERS, type Learned } from './registry.ts'

const calls: CallForm = {
  isOfPaths: true,
  hasPlainTags: true,
  methods: ['GET', 'PUT', 'DELETE'],
  roots: (samples) => [...new Set(samples.flatMap((sample) => rootOf(sample) ?? []))].slice(0, 1),
  gives: ({ response, method }) =>
    method === 'PUT' && isObject(response) && typeof response['token'] === 'string'
      ? [response['token']]
      : [],
  ...requestsAsCalls,
  semantics: { learn, perform },
}

/** Registries of npm, such as Verdaccio: packages with versions, tags and archives, and users who publish them. */
export const npm: Protocol = {
  name: 'npm',
  speaks: (sample) => isPackage(sample.response) || isPackage(sample.body),
  operations: () => () => undefined,
  calls,
}

function isPackage(value: unknown): boolean {
  return isObject(value) && isObject(value['dist-tags']) && isObject(value['versions']) && 'name' in value
}

// What a package is called is the last of a path, and may have a scope.
function rootOf(sample: Sample): string | undefined {
  const named = [sample.response, sample.body].find((value) => isPackage(value))
  const name = isObject(named) ? String(named['name']) : undefined
  const path = pathOf(sample)
  const whole = decodeSegment(path).replace(/\/-rev\/[^/]*$/, '')
  if (name === undefined || !whole.endsWith(`/${name}`)) return undefined
  return whole.slice(0, -name.length - 1)
}

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const [packages, users, tokens] = [all.get(PACKAGES), all.get(USERS), all.get(TOKENS)]
  const request = requestOf(call, known.root)
  if (packages === undefined || users === undefined || tokens === undefined || request === undefined)
    return undefined
  try {
    const store = { packages: packages.items, users: users.items, tokens: tokens.items }
    return answer(request, store, known, fresh)
  } catch (error) {
    if (error instanceof Refusal) return refused(error, known)
    throw error
  }
}
