import { cardinalityOf, foreignKeySide, reverseName } from '../fixture/check-links.ts'
import { keyOf } from '../fixture/check-object-types.ts'
import type { KeyValue, LinkTypeFixture } from '../fixture/fixture.ts'
import type { LinkSide, ObjectType, OntologyObject, PairStore } from './model.ts'

type Neighbours = LinkSide['neighbours']

const NONE: readonly OntologyObject[] = []

/** A link that a property of one side holds. Nothing is stored: an index of the holders is kept up when it is read. */
const createForeignKeyLink = (
  holder: ObjectType,
  target: ObjectType,
  foreignKey: string,
): { readonly toTarget: Neighbours; readonly toHolders: Neighbours } => {
  const holders = new Map<KeyValue, OntologyObject[]>()
  let indexed = 0

  const keyIn = (object: OntologyObject): KeyValue | undefined => {
    const value = object.properties[foreignKey]
    return value === undefined || value === null ? undefined : keyOf(value, target.primaryKey.type)
  }

  const keepUp = (): void => {
    for (; indexed < holder.table.all.length; indexed++) {
      const object = holder.table.all[indexed]
      const key = object && keyIn(object)
      if (object === undefined || key === undefined) continue
      const list = holders.get(key)
      if (list === undefined) holders.set(key, [object])
      else list.push(object)
    }
  }

  return {
    toTarget(object, moment) {
      const key = keyIn(object)
      const found = key === undefined ? undefined : target.table.get(key)
      return found === undefined || found.moment > moment ? NONE : [found]
    },
    toHolders(object, moment) {
      keepUp()
      const found = holders.get(object.key) ?? NONE
      return (found.at(-1)?.moment ?? 0 > moment) ? found.filter((each) => each.moment <= moment) : found
    },
  }
}

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
      .toSorted((left, right) => left.sequence - right.sequence)

/** A link of listed pairs, indexed both ways. */
interface PairLink extends PairStore {
  readonly forward: LinkSide['neighbours']
  readonly backward: LinkSide['neighbours']
  readonly revision: () => number
}

const createPairLink = (from: ObjectType, to: ObjectType): PairLink => {
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

interface Ends {
  readonly from: ObjectType
  readonly to: ObjectType
}

interface Wiring {
  readonly forward: LinkSide['neighbours']
  readonly backward: LinkSide['neighbours']
  readonly revision: () => number
}

const find = (type: ObjectType, key: string | number): OntologyObject | undefined =>
  type.table.get(keyOf(key, type.primaryKey.type))

const byPairs = ({ objects = [] }: LinkTypeFixture, { from, to }: Ends): Wiring & PairStore => {
  const link = createPairLink(from, to)
  for (const pair of objects) {
    const source = find(from, pair.from)
    const target = find(to, pair.to)
    if (source !== undefined && target !== undefined) link.add(source, target, 0)
  }
  return link
}

const byForeignKey = (link: LinkTypeFixture, { from, to }: Ends, foreignKey: string): Wiring => {
  const isForward = foreignKeySide(link) === 'from'
  const { toTarget, toHolders } = isForward
    ? createForeignKeyLink(from, to, foreignKey)
    : createForeignKeyLink(to, from, foreignKey)
  const revision = (): number => Math.max(from.table.revision, to.table.revision)
  return isForward
    ? { forward: toTarget, backward: toHolders, revision }
    : { forward: toHolders, backward: toTarget, revision }
}

/** Ties both ends of a link type together; the answer takes more pairs, unless a foreign key holds the link. */
export const buildLink = (link: LinkTypeFixture, ends: Ends, rid: string): PairStore | undefined => {
  const { from, to } = ends
  const { apiName, displayName = apiName, reverse, foreignKey, status = 'ACTIVE' } = link
  const pairs = foreignKey === undefined ? byPairs(link, ends) : undefined
  const { forward, backward, revision } = pairs ?? byForeignKey(link, ends, foreignKey ?? '')
  const [fromMany, toMany] = cardinalityOf(link)
    .split('_TO_')
    .map((side) => side === 'MANY')
  const holder = foreignKey === undefined ? undefined : foreignKeySide(link)
  const shared = { status, rid, revision }
  const back = reverseName(link)
  from.links.set(apiName, {
    ...shared,
    apiName,
    displayName,
    target: to,
    isMany: toMany === true,
    foreignKey: holder === 'from' ? foreignKey : undefined,
    neighbours: forward,
  })
  to.links.set(back, {
    ...shared,
    apiName: back,
    displayName: (typeof reverse === 'object' ? reverse.displayName : undefined) ?? back,
    target: from,
    isMany: fromMany === true,
    foreignKey: holder === 'to' ? foreignKey : undefined,
    neighbours: backward,
  })
  return pairs
}
