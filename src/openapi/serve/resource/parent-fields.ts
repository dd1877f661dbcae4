import { plainName } from '../../../collections/paging/page-parameters.ts'
import { createIdReader } from '../../../collections/ids.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { createTextReader } from '../../../engine/schema/coerce.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { createResolver } from '../../../engine/schema/schema.ts'
import { fieldModelsOf, type FieldModels } from './item-shape.ts'
import { wordsOf } from './reference-words.ts'
import type { Reference } from './references.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/** A field of an item that says below which other item it lies. */
export interface ParentField {
  readonly path: readonly string[]
  /** Which of the values in the collection's path it has. */
  readonly index: number
  /** The value as the field holds it; `undefined` where it cannot. */
  readonly read: (text: string) => unknown
  /** Where it is a reference to a resource: that. */
  readonly reference: Reference | undefined
}

/** The fields of a resource's items that follow from the path of their collection. */
export function createParentFields(
  resource: Resource,
  references: readonly Reference[],
  map: ResourceMap,
): readonly ParentField[] {
  const { parents, template, shape } = resource
  const fields: ParentField[] = []
  for (const { resource: parent, parameter } of map.above(`${template}/`)) {
    const index = parents.indexOf(parameter)
    const reference = referenceTo(parent, parameter, references)
    if (reference !== undefined && index >= 0)
      fields.push({ path: reference.path, index, read: createIdReader(parent), reference })
  }
  const taken = new Set([...fields.map(({ path }) => path.join('.')), resource.idPath?.join('.')])
  for (const [index, name] of parents.entries()) {
    // What a path calls `id` of the items above is not the id of those below.
    if (plainName(name) === 'id') continue
    for (const { path, read } of namesakes(shape, name))
      if (!taken.has(path.join('.'))) fields.push({ path, index, read, reference: undefined })
  }
  return fields
}

/** The reference that says below which item of another resource an item lies, if one does. */
export function referenceTo(
  parent: Resource,
  parameter: string,
  references: readonly Reference[],
): Reference | undefined {
  const own = references.filter(({ target, path }) => target === parent && !path.includes('*'))
  return calledAs(parent, parameter, own) ?? own[0]
}

/**
 * The reference that says of which of another resource's items an item is, be it of several: a task of `projects` is of
 * each of them.
 */
export function membershipIn(
  parent: Resource,
  parameter: string,
  references: readonly Reference[],
): Reference | undefined {
  const own = references.filter(({ target }) => target === parent)
  const [ones, lists] = [
    own.filter(({ path }) => !path.includes('*')),
    own.filter(({ path }) => path.indexOf('*') === path.length - 1),
  ]
  return calledAs(parent, parameter, ones) ?? calledAs(parent, parameter, lists) ?? ones[0]
}

function calledAs(
  { evidence }: Resource,
  parameter: string,
  references: readonly Reference[],
): Reference | undefined {
  const nouns = [wordsOf(parameter).noun.join(''), plainName(parameter), plainName(evidence.singular)]
  return nouns.map((noun) => references.find((each) => each.noun === noun)).find((each) => each !== undefined)
}

/** Fields that are called as a parameter is: an item's own, and those of its metadata. */
export function namesakes(
  shape: FieldModels,
  parameter: string,
): readonly Pick<ParentField, 'path' | 'read'>[] {
  const wanted = plainName(parameter)
  const within = (models: FieldModels, above: readonly string[]): Pick<ParentField, 'path' | 'read'>[] =>
    [...models.fields.keys()].flatMap((name) => {
      if (plainName(name) !== wanted) return []
      const model = models.modelOf(name)
      if (['object', 'array'].includes(kindOf(model))) return []
      const checker = createChecker(model)
      const readText = createTextReader(model, createResolver(model))
      const read = (text: string): unknown => {
        const value = readText(text)
        return checker.fits(value) ? value : undefined
      }
      return [{ path: [...above, name], read }]
    })
  const own = within(shape, [])
  if (own.length > 0 || !shape.fields.has('metadata')) return own
  return within(fieldModelsOf(shape.modelOf('metadata')), ['metadata'])
}
