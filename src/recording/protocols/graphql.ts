import { isObject } from '../../engine/schema/schema.ts'
import { rootsOf, selectionOf } from '../../routing/selection.ts'
import type { Sample } from '../inference/sample.ts'
import { type Operation, type Protocol, textOf } from './protocol.ts'

const HASH = '/extensions/persistedQuery/sha256Hash'

/** GraphQL over HTTP, by POST: operations with one selection are one, whatever their arguments; persisted ones by hash. */
export const graphql: Protocol = {
  name: 'GraphQL',
  speaks: ({ body }) =>
    isObject(body) &&
    ((typeof body['query'] === 'string' && selectionOf(body['query']) !== undefined) ||
      hashIn(body) !== undefined),
  operations: () => (sample) => bySelection(sample) ?? byHash(sample),
}

function bySelection({ body }: Sample): Operation | undefined {
  if (!isObject(body) || typeof body['query'] !== 'string') return undefined
  const name = textOf(body['operationName'])
  const selection = selectionOf(body['query'], name)
  if (selection === undefined) return undefined
  return { name: name ?? rootsOf(selection), when: { selection } }
}

function byHash({ body }: Sample): Operation | undefined {
  const hash = hashIn(body)
  if (hash === undefined || !isObject(body)) return undefined
  return { name: textOf(body['operationName']) ?? hash, when: { pointer: HASH, equals: hash } }
}

function hashIn(body: unknown): string | undefined {
  const extensions = isObject(body) ? body['extensions'] : undefined
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  return isObject(persisted) ? textOf(persisted['sha256Hash']) : undefined
}
