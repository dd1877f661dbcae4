import { lazy } from '../lazy.ts'
import type { Stream } from '../random.ts'
import { compileConstants } from './constants.ts'
import { withWriter, writerOf, type Compiler, type Generate, type Scope } from './generate.ts'
import { schemasOf } from './keywords.ts'
import { holdsLink } from './linked.ts'
import type { Position } from './position.ts'
import { createPlainTest } from './plain-test.ts'
import {
  isObject,
  propertiesOf,
  SAID,
  setEntry,
  type Entries,
  type Resolve,
  type Schema,
  type SchemaOrBoolean,
} from './schema.ts'

/** Values that a description gives of one schema. */
export interface SaidValues {
  readonly examples: readonly unknown[]
  readonly defaults: readonly unknown[]
}

/**
 * What is said of a schema: by itself, then by what it refers to, then by the members of its `allOf`, of which the last
 * is the most particular. A default counts where there is no example.
 */
export function saidOf(schema: Schema, resolve: Resolve): readonly unknown[] {
  const [examples, defaults]: [unknown[], unknown[]] = [[], []]
  const seen = new Set<Schema>()
  const walk = (part: SchemaOrBoolean): void => {
    if (typeof part === 'boolean' || seen.has(part)) return
    seen.add(part)
    const said = part[SAID] as SaidValues | undefined
    if (said !== undefined) {
      examples.push(...said.examples)
      defaults.push(...said.defaults)
    }
    if (typeof part['$ref'] === 'string') walk(resolve(part['$ref']))
    schemasOf(part, 'allOf')?.toReversed().forEach(walk)
  }
  walk(schema)
  return defaults.length === 0 ? examples : [...examples, ...defaults]
}

/** The properties of an object; of one whose properties only an example says, those of that. */
export function saidPropertiesOf(schema: Schema): ReturnType<typeof propertiesOf> {
  const declared = propertiesOf(schema)
  const [example] = (declared.length === 0 && (schema[SAID] as SaidValues | undefined)?.examples) || []
  if (!isObject(example)) return declared
  return Object.entries(example).map(([name, value]) => [name, { type: typeof value }])
}

/**
 * The first that fits of what a description says of a schema, as the value of all its instances; `undefined` where there
 * is none, and where a link within decides on some of it.
 */
export function compileSaid(schema: Schema, at: Position, compiler: Compiler): Generate | undefined {
  const said = saidOf(schema, compiler.resolve)
  if (said.length === 0) return undefined
  const isLinked = lazy(() => holdsLink(schema, compiler.resolve))
  const fitsPlain = lazy(() => createPlainTest(schema, compiler))
  const fits = (value: unknown): boolean =>
    isComposite(value) ? !isLinked() && compiler.checker.fits(value, schema) : fitsPlain()(value)
  const forms = said.flatMap(formsOf)
  const index = forms.findIndex(fits)
  if (index < 0) return undefined
  const constant = compileConstants([forms[index]], at)
  return isObject(forms[index]) ? withGiven(constant) : constant
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

// Authors write numbers where texts are wanted, which YAML invites to, and texts where numbers are.
function formsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (typeof value !== 'string' || value.trim() === '') return [value]
  if (value === 'true' || value === 'false') return [value, value === 'true']
  return Number.isFinite(Number(value)) ? [value, Number(value)] : [value]
}

// What is known of an object wins over what is said of all.
function withGiven(constant: Generate): Generate {
  const write = writerOf(constant)
  const merged = (stream: Stream, scope: Scope, given: Readonly<Entries>): Entries => {
    scope.given = undefined
    const value = constant(stream, scope) as Entries
    for (const name of Object.keys(given)) setEntry(value, name, given[name])
    return value
  }
  return withWriter(
    (stream, scope) =>
      scope.given === undefined ? constant(stream, scope) : merged(stream, scope, scope.given),
    (sink, stream, scope) => {
      if (scope.given === undefined) write(sink, stream, scope)
      else sink.value(merged(stream, scope, scope.given))
    },
  )
}
