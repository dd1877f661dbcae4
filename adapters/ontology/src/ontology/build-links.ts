import { cardinalityOf, foreignKeySide, reverseName } from '../fixture/check-links.ts'
import { keyOf } from '../fixture/check-objects.ts'
import type { LinkTypeFixture } from '../fixture/fixture.ts'
import { createForeignKeyLink } from './foreign-key-link.ts'
import type { LinkSide, ObjectType, OntologyObject, PairStore } from './model.ts'
import { createPairLink } from './pair-link.ts'

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
