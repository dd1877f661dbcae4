import { hashText, type Stream } from '../engine/random.ts'
import { cut, pagingOf } from './list-arguments.ts'
import { namedTypeOf, type Field, type Listed } from './model.ts'
import type { ObjectGraph } from './object-graph.ts'
import { Part, partType, type Args } from './part.ts'

/** The page that a request sees of a connection whose nodes have no ids: they belong to the place where it stands. */
export function valueList(
  { model }: ObjectGraph,
  field: Field,
  { of }: Listed,
  args: Args,
  stream: Stream,
): Part {
  const { pages, others } = pagingOf(args)
  const own = Object.keys(others).length === 0 ? stream : stream.childOfValue(others)
  const nodes = own.child(hashText('nodes'))
  const all = Array.from({ length: 1 + Math.floor(nodes.next() * MOST) }, (_, at) => {
    const place = nodes.child(at)
    return new Part(partType(model, of, place), place)
  })
  return new Part(namedTypeOf(field).name, own, {}, cut(all, pages))
}

const MOST = 9
