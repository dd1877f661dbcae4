import { plainName } from '../../../collections/paging/page-parameters.ts'
import { lazy } from '../../../engine/lazy.ts'
import type { Operation } from '../../../engine/operation.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import { createResolver, type Entries } from '../../../engine/schema/schema.ts'
import { pathShape, segmentsOf } from '../../../routing/path-template.ts'
import type { Item } from '../../../state/store.ts'
import { bodyFieldsOf } from './body-fields.ts'
import type { ItemModel } from './item-model.ts'
import type { FieldModels } from './item-shape.ts'
import { singularOf } from './path-words.ts'
import type { Reference } from './references.ts'

/** Has an item that was just made hold nothing yet: its lists are empty and its counts 0, but for what is known of it. */
export type BeginEmpty = (item: Entries, known: Item) => Entries

/**
 * What has new items of a shape hold nothing of what servers set. What the description says of a field stays.
 * @param isFilled whether later requests fill a list of this name: one that none fills is what the server made of the
 * request, such as the choices of a completion
 */
export function createBeginEmpty(
  { fields, modelOf }: FieldModels,
  model: Pick<ItemModel, 'fits'>,
  isFilled: (name: string) => boolean,
): BeginEmpty {
  const beginnings = [...fields.keys()].flatMap((name): (readonly [string, unknown])[] => {
    const own = modelOf(name)
    const kind = kindOf(own)
    const isCount = ['integer', 'number'].includes(kind) && COUNT.test(name)
    const value = kind === 'array' && isFilled(name) ? [] : isCount ? 0 : undefined
    return value === undefined || saidOf(own, createResolver(own)).length > 0 ? [] : [[name, value]]
  })
  return (item, known) =>
    beginnings.reduce<Entries>((left, [name, value]) => {
      if (!Object.hasOwn(left, name) || Object.hasOwn(known, name)) return left
      const next = { ...left, [name]: value }
      return model.fits(next) ? next : left
    }, item)
}

const COUNT = /(_count|Count|_counter|Counter)$|^(num|number_of|numberOf|total)(_|[A-Z])/

/** What a list is called that holds what the server made of a request. */
const RESULTS =
  /^(choices|candidates|outputs?|results?|predictions|generations|completions|answers|matches|hits|segments|content)$/

/**
 * Whether the lists of a resource's new items are there for later requests to fill, by their names. One that is called
 * as results are is not, unless a body of its operations, a path below its items or a reference to others has its name.
 */
export function filledLists(
  { template, parameter }: { readonly template: string; readonly parameter: string },
  routes: readonly { readonly path: string; readonly operation?: Operation | undefined }[],
  references: readonly Pick<Reference, 'path'>[],
): (name: string) => boolean {
  const collection = pathShape(template)
  const item = pathShape(`${template}/{${parameter}}`)
  const names = lazy(() => {
    const known = references.map(({ path }) => path[0] ?? '')
    for (const { path, operation } of routes) {
      const shape = pathShape(path)
      if (shape !== collection && shape !== item && !shape.startsWith(`${item}/`)) continue
      if (operation !== undefined) known.push(...bodyFieldsOf(operation, []))
      known.push(...segmentsOf(path).slice(segmentsOf(template).length + 1))
    }
    return new Set(known.map(nounOf))
  })
  return (name) => !RESULTS.test(plainName(name)) || names().has(nounOf(name))
}

function nounOf(name: string): string {
  return plainName(singularOf(name))
}
