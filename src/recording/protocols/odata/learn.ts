import type { ObjectType } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { entryOf } from '../../../grouping.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { isOwnHeader } from '../../inference/answer-headers.ts'
import { createObjects, type Item } from '../../calls/objects.ts'
import { violationsOf } from './checks.ts'
import { entitiesOf } from './entities.ts'
import { readMetadata } from './edm.ts'
import { initialEntities } from './initial.ts'
import { withMade } from './observed-members.ts'
import { byNamer, findNamer, ownerOf, setPlaceOf, withNamed } from './named-sets.ts'
import { observeSets } from './observed-sets.ts'
import { type Reason, refusalForm } from './refusal.ts'
import { contextIn, entitiesIn, rootOf, seenCalls, type Seen } from './seen.ts'
import { KEY, keyOf, readPredicate, type RefusalForm, type Service } from './service.ts'
import { styleOf, withListContexts } from './style.ts'
import { isVersion3 } from './version-3.ts'
import { keyIn } from './segments.ts'

/** The sets of a service, the entities that were in them in the beginning, and what else a recording shows. */
export function learn(
  calls: readonly SeenCall[],
  perform: CallSemantics['perform'],
): ReturnType<CallSemantics['learn']> {
  const root = rootOf(calls)
  const plainly = seenCalls(calls, root)
  const metadata = metadataIn(plainly)
  const [description] = metadata
  const described = readMetadata(description)
  const namer = described === undefined ? findNamer(plainly) : undefined
  const seen = plainly.map((each) => ({ ...each, segments: byNamer(each.segments, namer) }))
  const fine = seen.filter(({ status }) => status < 300)
  const document = fine.find(({ segments, method }) => segments.length === 0 && method === 'GET')?.value
  const plain = described?.sets ?? withNamed(observeSets(seen), namer)
  const sets = Object.fromEntries(
    Object.entries(plain).map(([name, set]) => [name, withMade(name, set, fine)]),
  )
  const isOld = calls.some(({ outcome }) => isVersion3(outcome.value))
  const style = styleOf(seen, sets, isOld)
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
    ...{ root, document, namer, style, operations: described?.operations ?? [] },
    sets: withListContexts(sets, style, fine),
    ...(metadata.length > 0 && { metadata }),
    ...{ checks: [], refusals: {} },
  }
  const learned = { ...service, checks: checksOf(seen, service, types) }
  return {
    types,
    learned: { ...learned, refusals: refusalsOf(calls, { types, learned }, perform) },
  }
}

// In each format that was wanted.
function metadataIn(seen: readonly Seen[]): NonNullable<Service['metadata']> {
  const found = seen.flatMap(({ status, segments, value }) =>
    status < 300 && segments[0] === '$metadata' && value !== undefined ? [value] : [],
  )
  return [found.find((each) => typeof each === 'string'), found.find((each) => isObject(each))].filter(
    (each) => each !== undefined,
  )
}

const EXAMPLE_ID = '0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f'

// What is refused wherever it comes, and never accepted.
function checksOf(
  seen: readonly Seen[],
  service: Service,
  types: Readonly<Record<string, ObjectType>>,
): readonly string[] {
  const entities = entitiesOf(service, createObjects({ types }))
  const [found, accepted, known] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const each of seen) {
    const { method, segments, status, error, headers } = each
    const { set = '', segment } = setPlaceOf(segments) ?? {}
    const own = service.sets[set]
    if (own === undefined) continue
    const idOf = (item: Item): string => `${set} ${keyOf(own, { ...item, ...ownerOf(segments) })}`
    if (status < 300)
      for (const item of entitiesIn(method === 'POST' ? each.body : each.value)) known.add(idOf(item))
    if (method === 'GET') continue
    if (status === 201 && method !== 'POST') found.add('upsert')
    const key = keyIn(segment)
    const given = key === undefined ? undefined : readPredicate(own, key)
    const id = given && idOf(given)
    if (id !== undefined && status < 300) {
      if (/^(PUT|PATCH|MERGE)$/.test(method) && !known.has(id) && headers['if-match'] === undefined)
        found.add('upsert')
      known.add(id)
    }
    if (status === 404 && headers['if-match'] === '*') found.add('missing')
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
  const headersOf = new Map<string, Record<string, string>>()
  for (const { call, outcome } of calls) {
    const given = perform({ learned: model.learned }, all, call, {
      seed: '',
      now: 0,
    })
    const { status = 200, error, headers = {} } = outcome
    if (error === undefined || given?.reason === undefined || status < 400) continue
    const { template, values } = given.reason
    // Those that all refusals of a kind have alike.
    const kept = entryOf(headersOf, template as Reason, () =>
      Object.fromEntries(
        Object.entries(headers).filter(([name]) => name === 'content-type' || isOwnHeader(name)),
      ),
    )
    for (const name of Object.keys(kept)) if (headers[name] !== kept[name]) delete kept[name]
    entryOf(found, template as Reason, () => refusalForm({ status, error, headers: kept }, values))
  }
  return Object.fromEntries(found)
}

/** Whether an answer says that it is of a service. */
export function saysService(value: unknown): boolean {
  return contextIn(value)?.includes('$metadata') === true
}
