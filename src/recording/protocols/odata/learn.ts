import type { ObjectType } from '../../../engine/call-model.ts'
import { entryOf } from '../../../grouping.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { createObjects } from '../../calls/objects.ts'
import { violationsOf } from './checks.ts'
import { entitiesOf } from './entities.ts'
import { readMetadata } from './edm.ts'
import { initialEntities } from './initial.ts'
import { withMade } from './observed-members.ts'
import { observeSets } from './observed-sets.ts'
import { type Reason, refusalForm } from './refusal.ts'
import { contextIn, headOf, keyIn, rootOf, seenCalls, type Seen } from './seen.ts'
import { KEY, readPredicate, type RefusalForm, type Service } from './service.ts'
import { styleOf } from './style.ts'

/** The sets of a service, the entities that were in them in the beginning, and what else a recording shows. */
export function learn(
  calls: readonly SeenCall[],
  perform: CallSemantics['perform'],
): ReturnType<CallSemantics['learn']> {
  const root = rootOf(calls)
  const seen = seenCalls(calls, root)
  const fine = seen.filter(({ status }) => status < 300)
  const document = fine.find(({ segments, method }) => segments.length === 0 && method === 'GET')?.value
  const metadata = fine.find(({ segments }) => segments[0] === '$metadata')?.value
  const described = typeof metadata === 'string' ? readMetadata(metadata) : undefined
  const plain = described?.sets ?? observeSets(seen)
  const sets = Object.fromEntries(
    Object.entries(plain).map(([name, set]) => [name, withMade(name, set, fine)]),
  )
  const items = initialEntities(seen, sets)
  const types = Object.fromEntries(
    Object.entries(sets).map(([name, set]): [string, ObjectType] => [
      name,
      {
        id: set.keys.length === 1 ? (set.keys[0] ?? KEY) : KEY,
        items: items.get(name) ?? [],
        ...{ links: {}, defaults: {} },
        ...(set.types?.[set.keys[0] ?? ''] === 'Guid' && { exampleId: EXAMPLE_ID }),
      },
    ]),
  )
  const service: Service = {
    ...{ root, document, sets, style: styleOf(seen, sets), operations: described?.operations ?? [] },
    ...(typeof metadata === 'string' && { metadata }),
    ...{ checks: [], refusals: {} },
  }
  const learned = { ...service, checks: checksOf(seen, service, types) }
  return {
    types,
    learned: { ...learned, refusals: refusalsOf(calls, { types, learned }, perform) },
  }
}

const EXAMPLE_ID = '0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f'

// What is refused wherever it comes, and never accepted.
function checksOf(
  seen: readonly Seen[],
  service: Service,
  types: Readonly<Record<string, ObjectType>>,
): readonly string[] {
  const entities = entitiesOf(service, createObjects({ types }))
  const [found, accepted] = [new Set<string>(), new Set<string>()]
  for (const each of seen) {
    const { method, segments, status, error } = each
    const set = headOf(segments[0])
    const own = service.sets[set]
    if (method === 'GET' || own === undefined || segments.length > 1) continue
    if (status === 201 && method !== 'POST') found.add('upsert')
    const key = keyIn(segments[0])
    const given = key === undefined ? undefined : readPredicate(own, key)
    const isKnown = given !== undefined && own.etag !== undefined
    const item = isKnown ? { ...given, '@odata.etag': own.etag } : undefined
    const violations = violationsOf(entities, set, each, item)
    if (status < 300) for (const { check } of violations) accepted.add(check)
    else if (status >= 400) {
      const text = JSON.stringify(error) ?? ''
      const named = violations.find(({ check, values, reason }) => {
        if (reason === 'unconditional') return status === 428
        return !accepted.has(check) && new RegExp(`\\b${values['property'] ?? ''}\\b`).test(text)
      })
      if (named !== undefined) found.add(named.check)
    }
  }
  // Who refuses what lacks one property that must be there refuses it of all.
  const isRequiring = [...found].some((check) => check.startsWith('required '))
  if (isRequiring)
    for (const [name, { required = [] }] of Object.entries(service.sets))
      for (const property of required) found.add(`required ${name}.${property}`)
  return [...found].filter((check) => !accepted.has(check)).toSorted()
}

/** How refusals are said, from the first of each kind. */
function refusalsOf(
  calls: readonly SeenCall[],
  model: {
    readonly types: Readonly<Record<string, ObjectType>>
    readonly learned: Readonly<Record<string, unknown>>
  },
  perform: CallSemantics['perform'],
): Service['refusals'] {
  const all = createObjects(model)
  const found = new Map<string, RefusalForm>()
  for (const { call, outcome } of calls) {
    const given = perform({ learned: model.learned }, all, call, {
      seed: '',
      now: 0,
    })
    const { status = 200, error, headers = {} } = outcome
    if (error === undefined || given?.reason === undefined || status < 400) continue
    const { template, values } = given.reason
    const type = headers['content-type']
    entryOf(found, template as Reason, () =>
      refusalForm(
        { status, error, headers: { ...(type !== undefined && { 'content-type': type }) } },
        values,
      ),
    )
  }
  return Object.fromEntries(found)
}

/** Whether an answer says that it is of a service. */
export function saysService(value: unknown): boolean {
  return contextIn(value)?.includes('$metadata') === true
}
