import type { LinkSide, ObjectType, OntologyObject, PairStore } from './model.ts'

interface Neighbour {
  readonly object: OntologyObject
  readonly moment: number
}

type Index = Map<OntologyObject, Neighbour[]>

const put = (index: Index, key: OntologyObject, neighbour: Neighbour): void => {
  const list = index.get(key)
  if (list === undefined) index.set(key, [neighbour])
  else list.push(neighbour)
}

const reader =
  (index: Index): LinkSide['neighbours'] =>
  (object, moment) =>
    (index.get(object) ?? [])
      .filter((each) => each.moment <= moment)
      .map((each) => each.object)
      .toSorted((left, right) => left.ordinal - right.ordinal)

/** A link of listed pairs, indexed both ways. */
export interface PairLink extends PairStore {
  readonly forward: LinkSide['neighbours']
  readonly backward: LinkSide['neighbours']
  readonly revision: () => number
}

export const createPairLink = (from: ObjectType, to: ObjectType): PairLink => {
  const forward: Index = new Map()
  const backward: Index = new Map()
  let revision = 0
  return {
    from,
    to,
    has: (source, target) => (forward.get(source) ?? []).some(({ object }) => object === target),
    forward: reader(forward),
    backward: reader(backward),
    revision: () => revision,
    add(source, target, moment) {
      put(forward, source, { object: target, moment })
      put(backward, target, { object: source, moment })
      revision = moment
    },
  }
}
