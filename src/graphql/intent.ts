import { isEnumType, isObjectType } from 'graphql'
import type { Item } from '../state/store.ts'
import { timeIn } from './mutation-time.ts'
import { isAbout, namedTypeOf, snakeOf, type EntityType, type Field, type SchemaModel } from './model.ts'
import type { Read } from './filter.ts'
import type { Entity } from './object-graph.ts'

/** What a mutation is to do, by its name. */
export interface Intent {
  readonly kind: 'create' | 'update' | 'delete' | 'upsert' | 'act'
  /** The word that says it. */
  readonly verb: string
}

const VERBS: Readonly<Record<Exclude<Intent['kind'], 'act'>, readonly string[]>> = {
  create: [
    ...['create', 'add', 'insert', 'new', 'register', 'signup', 'post', 'send', 'submit', 'make', 'place'],
    ...['invite', 'upload', 'append', 'write', 'book', 'publish', 'start', 'open'],
  ],
  update: ['update', 'edit', 'modify', 'set', 'change', 'patch', 'rename', 'replace', 'move', 'assign'],
  delete: ['delete', 'remove', 'destroy', 'drop', 'erase', 'purge', 'discard'],
  upsert: ['upsert', 'save', 'put'],
}
// These are nouns as well.
const ONLY_FIRST = new Set(['post', 'set', 'new', 'book', 'place', 'put', 'open', 'start', 'add', 'send'])

/** What a name says: the first word or the last, as in `createUser`, `userCreate` and `delete_users_by_pk`. */
export function intentOf(name: string): Intent {
  const words = snakeOf(name)
    .split('_')
    .filter((word) => word !== '')
  const kinds = Object.entries(VERBS) as [Exclude<Intent['kind'], 'act'>, readonly string[]][]
  const kindOf = (word: string): Intent['kind'] | undefined =>
    kinds.find(([, verbs]) => verbs.includes(word))?.[0]
  const [first = ''] = words
  const own = kindOf(first)
  if (own !== undefined) return { kind: own, verb: first }
  for (const word of words.slice(1).toReversed()) {
    const kind = ONLY_FIRST.has(word) ? undefined : kindOf(word)
    if (kind !== undefined) return { kind, verb: word }
  }
  return { kind: 'act', verb: first }
}

/**
 * The type of the objects that a mutation is about: that which its name is but for the verb, what it answers with, or what
 * its name names. What is deleted may be answered by no more than its owner.
 */
export function targetOf(model: SchemaModel, field: Field): EntityType | undefined {
  const answered = typesIn(model, field)
  const noun = nounOf(field)
  const exact = [...model.entities.values()].find(({ name }) => snakeOf(name) === noun)
  if (exact !== undefined) return exact
  const named = (types: readonly EntityType[]): EntityType | undefined =>
    types.filter(({ name }) => isAbout(field.name, name)).toSorted((a, b) => b.name.length - a.name.length)[0]
  return named(answered) ?? answered[0] ?? named([...model.entities.values()])
}

// What a name is but for the verb.
function nounOf({ name }: Field): string {
  const { verb } = intentOf(name)
  return snakeOf(name)
    .split('_')
    .filter((word) => word !== verb)
    .join('_')
}

/**
 * Whether a mutation makes objects of a type and does no more, such as `createOrder`. What `submitOrder` or
 * `createRefundForOrder` name by its id is there already.
 */
export function createsOnly(field: Field, { name }: EntityType): boolean {
  return ONLY_CREATE.has(intentOf(field.name).verb) && nounOf(field) === snakeOf(name)
}

const ONLY_CREATE = new Set(['create', 'add', 'insert', 'new', 'register', 'signup', 'make'])

// The entities of an answer, and of the objects in it.
function typesIn(model: SchemaModel, field: Field): readonly EntityType[] {
  const own = model.entitiesOf(field.type)
  if (own.length > 0) return own
  const type = namedTypeOf(field)
  const objects = isObjectType(type) ? [type] : 'getTypes' in type ? [...type.getTypes()] : []
  return objects.flatMap((object) =>
    Object.values(object.getFields()).flatMap((inner) => {
      const node = namedTypeOf(inner)
      const edge = isObjectType(node) ? node.getFields()['node'] : undefined
      return model.entitiesOf(edge?.type ?? model.listedBy(inner.type)?.of ?? inner.type)
    }),
  )
}

/** What a verb such as `archive`, `close` or `like` does to the fields that speak of it. */
export function fieldsByVerb(entity: Entity, { verb }: Intent, now: number, read: Read): Item {
  const isUndone = /^(un|re(?=open))/.test(verb) && verb.length > 4
  const plain = isUndone ? verb.replace(/^(un|re)/, '') : verb
  const past = pastOf(plain)
  const changes: Record<string, unknown> = {}
  for (const field of Object.values(entity.type.type.getFields())) {
    const name = snakeOf(field.name).replace(/_/g, '')
    const type = namedTypeOf(field)
    if (type.name === 'Boolean' && [past, `is${past}`, `viewerhas${past}`].includes(name))
      changes[field.name] = !isUndone
    else if ([`${past}at`, `${past}on`, `${past}date`].includes(name))
      changes[field.name] = isUndone ? null : timeIn(field, now)
    else if (
      type.name === 'Int' &&
      [`${plain}s`, `${plain}count`, `${plain}scount`, `num${plain}s`].includes(name)
    )
      changes[field.name] = Math.max(0, Number(read(entity, field.name)) + (isUndone ? -1 : 1))
    else if (isEnumType(type) && /^(state|status|phase|stage)$/.test(name)) {
      const value = type
        .getValues()
        .find((each) => [past, plain].includes(each.name.toLowerCase().replace(/_/g, '')))
      if (value !== undefined) changes[field.name] = value.name
    }
  }
  return changes
}

const IRREGULAR: Readonly<Record<string, string>> = {
  hide: 'hidden',
  send: 'sent',
  pay: 'paid',
  read: 'read',
  freeze: 'frozen',
}

function pastOf(verb: string): string {
  if (IRREGULAR[verb] !== undefined) return IRREGULAR[verb]
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${verb.replace(/([^aeiou][aeiou])([nptg])$/, '$1$2$2')}ed`
}
