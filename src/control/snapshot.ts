import { InputInvalid, StoreAbsent } from '../errors.ts'
import { findProblem } from '../state/snapshot-file.ts'
import type { StoreSnapshot } from '../state/store.ts'
import { defineOperation, fields, type ControlRequest } from './operation.ts'

const SNAPSHOT = fields(
  {
    version: { const: 1 },
    seed: { type: ['integer', 'string'] },
    collections: {
      type: 'object',
      description: 'By path: how many ids were assigned, and pairs of id and item in order',
      additionalProperties: { type: 'object' },
    },
  },
  ['version', 'collections'],
)

/** All items of a session as one value. */
export const snapshot = [
  defineOperation(
    'GET',
    '/snapshot',
    {
      scope: { reads: ['store'] },
      tag: 'state',
      summary: 'The seed and all items of the session, to be restored later',
      output: SNAPSHOT,
    },
    (_input, request) => snapshotOf(request),
  ),
  defineOperation(
    'PUT',
    '/snapshot',
    {
      scope: { changes: ['store', 'session'] },
      tag: 'state',
      summary: 'Replace all items, and the seed if it is named, by those of a snapshot',
      input: SNAPSHOT,
      output: SNAPSHOT,
    },
    ({ seed, ...given }, request) => {
      const { session, store } = request
      if (store === undefined) throw new StoreAbsent()
      const problem = findProblem(given)
      if (problem !== undefined)
        throw new InputInvalid([
          { type: 'snapshot', loc: ['body'], msg: `Not a snapshot: ${problem}`, input: null },
        ])
      store.restore(given as unknown as StoreSnapshot)
      if (seed !== undefined) session.seed = seed as number | string
      return snapshotOf(request)
    },
  ),
]

function snapshotOf({ session: { seed }, store }: ControlRequest): unknown {
  if (store === undefined) throw new StoreAbsent()
  const { version, collections } = store.snapshot()
  return { version, seed, collections }
}
