import { isLeafType, isObjectType, type GraphQLObjectType } from 'graphql'
import { hashText } from '../engine/random.ts'
import { cursorOf } from './list-arguments.ts'
import { isList, namedTypeOf, type Field } from './model.ts'
import { Part, type Page } from './part.ts'
import type { ObjectGraph } from './object-graph.ts'

/** What an object around a list has in a field that speaks of the list; `undefined` for other fields. */
export function pageValue(world: ObjectGraph, part: Part, page: Page, field: Field): unknown {
  const { model } = world
  const named = namedTypeOf(field)
  if (isLeafType(named)) return isList(field) ? undefined : scalarOf(page, field.name)
  if (isList(field)) {
    const listed = model.listedBy(model.schema.getType(part.typeName) as GraphQLObjectType)
    const isOfNodes = listed !== undefined && namedTypeOf({ type: listed.of }) === named
    if (isOfNodes || model.entitiesOf(field.type).length > 0) return page.items
    const edge = named as GraphQLObjectType
    if (!isObjectType(edge) || edge.getFields()['node'] === undefined) return undefined
    return page.items.map(
      (node, at) =>
        new Part(edge.name, node.stream.child(hashText(edge.name)), {
          node,
          cursor: cursorOf(node, page.offset + at),
        }),
    )
  }
  // Such as `pageInfo`, which says more of the same page.
  return isObjectType(named) && model.entityOf(named) === undefined
    ? new Part(named.name, part.stream.child(hashText(field.name)), {}, page)
    : undefined
}

type PageFact = (page: Page) => unknown

const lastPage = ({ total, size }: Page): number =>
  size === undefined || size === 0 ? 1 : Math.max(1, Math.ceil(total / size))
const current = ({ offset, size }: Page): number =>
  size === undefined || size === 0 ? 1 : Math.floor(offset / size) + 1
const hasNext: PageFact = ({ offset, items, total }) => offset + items.length < total
const hasPrevious: PageFact = ({ offset }) => offset > 0
const cursorAt =
  (at: 0 | -1): PageFact =>
  (page) => {
    const node = page.items.at(at)
    return node === undefined ? null : cursorOf(node, page.offset + (at === 0 ? 0 : page.items.length - 1))
  }

const SCALARS: readonly (readonly [RegExp, PageFact])[] = [
  [/^(has_?next(_?page)?|has_?more)$/i, hasNext],
  [/^has_?prev(ious)?(_?page)?$/i, hasPrevious],
  [/^(start|first)_?cursor$/i, cursorAt(0)],
  [/^(end|last|next)_?cursor$/i, cursorAt(-1)],
  [
    /^(total|count|total_?(count|items|results|records|elements)|items?_?count|records?_?count)$/i,
    ({ total }) => total,
  ],
  [/^(pages|page_?count|total_?pages|last_?page)$/i, lastPage],
  [/^(page|current_?page|page_?(number|index))$/i, current],
  [/^next(_?page)?$/i, (page) => (hasNext(page) === true ? current(page) + 1 : null)],
  [/^prev(ious)?(_?page)?$/i, (page) => (page.offset > 0 ? Math.max(1, current(page) - 1) : null)],
  [/^(per_?page|page_?size|limit|size|take|items_?per_?page)$/i, ({ size, total }) => size ?? total],
  [/^(offset|skip|start|from)$/i, ({ offset }) => offset],
]

function scalarOf(page: Page, name: string): unknown {
  return SCALARS.find(([known]) => known.test(name))?.[1](page)
}
