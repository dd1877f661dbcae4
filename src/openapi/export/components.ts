import { remembered } from '../../engine/lazy.ts'
import { canonicalText } from '../../engine/random.ts'
import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { copyPart, copySchema, type Elsewhere } from './copy-schema.ts'
import { createScope, type Located, type Scope } from './scope.ts'

/** The models of a document that have a name. */
export interface Components {
  /** A schema as it stands in the document: a copy, or a reference where it is a model with a name. */
  use(schema: SchemaOrBoolean, scope: Scope): SchemaOrBoolean
  /** All models used so far, by name. */
  schemas(): Readonly<Record<string, Schema>>
}

/**
 * Names models: equal ones share a name, and different ones of one name differ by a number.
 * @param reserved models whose titles no other model gets, used or not
 * @param taken names that no model gets
 */
export function createComponents(
  reserved: readonly Schema[] = [],
  taken: readonly string[] = [],
): Components {
  const compare = createModelComparison()
  const names = new Map<Located, string>()
  const owners = new Map<string, Located>()
  const bodies = new Map<string, Schema>()

  const claim = (model: Located, wanted: string): string => {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}${number}`
      if (taken.includes(name)) continue
      const owner = owners.get(name)
      if (owner === undefined) {
        owners.set(name, model)
        return name
      }
      const same = compare(model, owner)
      for (const [one, other] of same ?? []) {
        const known = names.get(other)
        if (known !== undefined) names.set(one, known)
      }
      if (same !== undefined) return name
    }
  }
  const nameFor = (model: Located, fallback: string): string => {
    const name = names.get(model) ?? claim(model, cleanName(nameOf(model.schema) ?? fallback))
    names.set(model, name)
    if (!bodies.has(name)) {
      // The place is taken before the body is made, since the body may hold the model itself.
      bodies.set(name, {})
      bodies.set(name, copySchema(model.schema, elsewhere(model.scope)))
    }
    return `#/components/schemas/${name}`
  }
  const elsewhere = (scope: Scope): Elsewhere => ({
    reference: (reference) => nameFor(scope.find(reference), reference),
    named: (model) => ({ $ref: nameFor(scope.at(model), '') }),
  })

  for (const model of reserved)
    claim({ schema: model, scope: createScope(model) }, cleanName(nameOf(model) ?? ''))
  return {
    use: (schema, scope) => copyPart(schema, elsewhere(scope)),
    schemas: () => Object.fromEntries(bodies),
  }
}

function nameOf({ title, $id }: Schema): string | undefined {
  return [title, $id].find((name) => typeof name === 'string' && name !== '') as string | undefined
}

/** A name that a component can have: of a path or URL its last part, without the end of a file's name. */
function cleanName(text: string): string {
  const last = text.split(/[/#]/).findLast((part) => part !== '') ?? ''
  const name = last
    .replace(/(\.schema)?\.json$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[_.-]+|(?<![_.-])[_.-]+$/g, '')
  return name === '' ? 'Model' : name
}

/** A schema without what it finds elsewhere: its text with numbers for those parts, and the parts. */
interface Shape {
  readonly text: string
  /** References, and models with a name. */
  readonly parts: readonly (string | Schema)[]
}

/** Two models, one from here and one from there. */
export type Pair = readonly [Located, Located]

/**
 * Compares two models: the pairs of models found the same on the way, the two among them, or `undefined`
 * where they differ. Models that contain themselves are the same when no difference is ever met.
 */
export type CompareModels = (a: Located, b: Located) => readonly Pair[] | undefined

/** A comparison that remembers what schemas look like. */
export function createModelComparison(): CompareModels {
  const shapeOf = remembered(createShape)
  const isSame = (a: Located, b: Located, met: Map<Located, Set<Located>>): boolean => {
    const others = met.get(a) ?? new Set()
    if (a === b || others.has(b)) return true
    met.set(a, others.add(b))
    const [left, right] = [shapeOf(a.schema), shapeOf(b.schema)]
    if (left.text !== right.text) return false
    return left.parts.every((part, index) =>
      isSame(locate(a, part), locate(b, right.parts[index] ?? {}), met),
    )
  }
  return (a, b) => {
    const met = new Map<Located, Set<Located>>()
    if (!isSame(a, b, met)) return undefined
    return [...met].flatMap(([one, others]) => [...others].map((other): Pair => [one, other]))
  }
}

function locate({ scope }: Located, part: string | Schema): Located {
  return typeof part === 'string' ? scope.find(part) : scope.at(part)
}

function createShape(schema: Schema): Shape {
  const parts: (string | Schema)[] = []
  const take = (part: string | Schema): string => String(parts.push(part))
  const copy = copySchema(schema, { reference: take, named: (model) => ({ $ref: take(model) }) })
  return { text: canonicalText(copy), parts }
}
