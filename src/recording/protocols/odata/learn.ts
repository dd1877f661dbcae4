import type { ObjectType } from '../../../engine/call-model.ts'
import { entryOf } from '../../../grouping.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { madeKind } from '../../../shape/made-values.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { createObjects } from '../../calls/objects.ts'
import { violationsOf } from './checks.ts'
import { entitiesOf } from './entities.ts'
import { readMetadata } from './edm.ts'
import { initialEntities } from './initial.ts'
import { observeSets } from './observed-sets.ts'
import { type Reason, refusalForm } from './refusal.ts'
import { contextIn, entitiesIn, headOf, keyIn, rootOf, seenCalls, type Seen } from './seen.ts'
import {
  type EntitySet,
  KEY,
  keyOf,
  membersIn,
  predicateOf,
  readPredicate,
  type RefusalForm,
  type Service,
} from './service.ts'
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

// What the answers to requests show that make and change entities of a set.
function withMade(name: string, set: EntitySet, fine: readonly Seen[]): EntitySet {
  const own = fine.filter(({ segments }) => headOf(segments[0]) === name && segments.length === 1)
  const made = own.filter(({ method, value }) => method === 'POST' && isObject(value))
  const created = made.map(({ body, value }) => ({ sent: membersIn(body), got: membersIn(value) }))
  const unsent = (member: string): readonly unknown[] =>
    created.filter(({ sent }) => !Object.hasOwn(sent, member)).map(({ got }) => got[member])
  const members = new Set([...Object.keys(set.properties), ...created.flatMap(({ got }) => Object.keys(got))])
  const properties: Record<string, unknown> = {}
  const times: Record<string, string> = {}
  for (const member of members) {
    if (member.includes('@') || set.links[member] !== undefined || set.keys.includes(member)) continue
    const values = unsent(member)
    const [first] = values
    const isFresh =
      values.length > 0 && values.every((value) => typeof value === 'string' && madeKind(value) !== undefined)
    if (isFresh) times[member] = String(first)
    else if (values.length === 0) properties[member] = set.properties[member] ?? null
    else if (first !== undefined && values.every((value) => JSON.stringify(value) === JSON.stringify(first)))
      properties[member] = first
    else if (values.some((value) => value !== undefined)) properties[member] = set.properties[member] ?? null
  }
  const touched = touchedMembers(own, set)
  const shown = own.flatMap(({ value }) => entitiesIn(value))
  const etag = shown
    .map((item) => item['@odata.etag'] ?? item['@etag'])
    .find((each) => typeof each === 'string')
  const pageSize = pageSizeOf(own)
  return {
    ...set,
    properties,
    ...(Object.keys(times).length > 0 && { made: times }),
    ...(Object.keys(touched).length > 0 && { touched }),
    ...annotationsOf(own, set),
    ...(typeof etag === 'string' && { etag }),
    ...(pageSize !== undefined && { pageSize }),
  }
}

// Members that are other times after a change that did not name them.
function touchedMembers(own: readonly Seen[], set: EntitySet): Readonly<Record<string, string>> {
  const last = new Map<string, Seen['query']>()
  const found: Record<string, string> = {}
  for (const { method, segments, body, value } of own) {
    for (const item of entitiesIn(value)) {
      const id = keyOf(set, item)
      if (id === undefined || !isObject(value)) continue
      const before = last.get(id)
      if (before !== undefined && /^(PATCH|PUT)$/.test(method) && segments.length === 1)
        for (const [name, part] of Object.entries(item)) {
          const isSent = Object.hasOwn(membersIn(body), name)
          const isTime = typeof part === 'string' && madeKind(part) !== undefined
          if (!isSent && !name.includes('@') && isTime && part !== before[name] && before[name] !== undefined)
            found[name] = part
        }
      last.set(id, { ...before, ...item })
    }
  }
  return found
}

// Annotations that every entity has, with its key in them.
function annotationsOf(own: readonly Seen[], set: EntitySet): Pick<EntitySet, 'annotations'> {
  const items = own.flatMap(({ value }) => entitiesIn(value)).filter((item) => keyOf(set, item) !== undefined)
  const names = Object.keys(items[0] ?? {}).filter(
    (name) => name.startsWith('@') && !/(context|etag|count|nextLink|deltaLink|metadataEtag)$/.test(name),
  )
  const templates = names.flatMap((name): [string, string][] => {
    const texts = items.map((item) => String(item[name]).replace(predicateOf(set, item), '{key}'))
    return texts.every((text) => text === texts[0]) ? [[name, texts[0] ?? '']] : []
  })
  return templates.length === 0 ? {} : { annotations: Object.fromEntries(templates) }
}

// As many as are answered to who names no number and gets a link to more.
function pageSizeOf(own: readonly Seen[]): number | undefined {
  const pages = own.filter(
    ({ value, headers }) =>
      Object.keys(membersIn(value)).some((name) => name.endsWith('nextLink')) &&
      headers['prefer'] === undefined,
  )
  return pages.length === 0 ? undefined : Math.max(...pages.map(({ value }) => entitiesIn(value).length))
}

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
