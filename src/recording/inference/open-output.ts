import type { CallRule } from '../../engine/call-model.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { orNull } from '../../shape/observed-schema.ts'
import { protocolCalled } from '../protocols/protocols.ts'
import type { InferredRoute } from './infer-route.ts'

const BOUNDS = [
  'enum',
  'const',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'minItems',
  'maxItems',
]

/** The nearest answer has values of its request, which may be any of their type, and what calls answer may lack members. */
export function withOpenOutput(route: InferredRoute): InferredRoute {
  const { calls } = route
  const {
    isSelecting = false,
    hasAnyValues = false,
    hasAliases = false,
  } = protocolCalled(calls?.protocol)?.calls ?? {}
  const isPartial =
    calls !== undefined &&
    (isSelecting ||
      calls.omitsEmpty === true ||
      Object.values(calls.calls).some(
        ({ fields, list }) => (fields ?? list?.fields) !== undefined || list?.hides !== undefined,
      ))
  const mayLack = new Set(
    Object.entries(calls?.calls ?? {}).flatMap(([name, rule]) => [
      ...(rule.missing?.value === null ? [name] : []),
      ...nullsOf(rule),
    ]),
  )
  const rootsMayLack =
    hasAliases && Object.values(calls?.calls ?? {}).some(({ missing }) => missing?.value === null)
  const open = (schema: Schema, mayAllLack = false): Schema =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (keyword === 'properties' && isObject(value))
          return [
            [
              keyword,
              Object.fromEntries(
                Object.entries(value).map(([name, part]) => {
                  if (hasAnyValues) return [name, {}]
                  // Members of `data` may have any names.
                  const opened = openPart(part, rootsMayLack && name === 'data')
                  return [
                    name,
                    (mayAllLack || mayLack.has(name)) && isObject(opened) ? orNull(opened) : opened,
                  ]
                }),
              ),
            ],
          ]
        if (isSelecting && keyword === 'type') return [[keyword, withNull(value)]]
        if (BOUNDS.includes(keyword) || (isPartial && keyword === 'required')) return []
        return [
          [
            keyword,
            Array.isArray(value) && keyword !== 'required'
              ? value.map((each) => openPart(each))
              : openPart(value),
          ],
        ]
      }),
    )
  const openPart = (part: unknown, mayAllLack = false): unknown =>
    isObject(part) ? open(part, mayAllLack) : part
  return route.output === undefined
    ? route
    : { ...route, output: { ...route.output, model: open(route.output.model) } }
}

// What is nothing where a call fails, such as the `data` of GraphQL.
function nullsOf({
  missing,
  needs = [],
  conflict,
  already,
  held,
  refused = {},
}: CallRule): readonly string[] {
  const single = [missing, conflict?.outcome, already, held?.outcome]
  return [...single, ...needs.map(({ outcome }) => outcome), ...Object.values(refused)].flatMap((outcome) =>
    isObject(outcome?.error)
      ? Object.entries(outcome.error).flatMap(([name, value]) => (value === null ? [name] : []))
      : [],
  )
}

function withNull(type: unknown): unknown {
  const types = [type].flat()
  return types.includes('null') || types.includes('object') || types.includes('array')
    ? type
    : [...types, 'null']
}
