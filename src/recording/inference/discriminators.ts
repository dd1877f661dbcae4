import { escapeKey, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { contentKindOf, mediaKindOf } from '../../media-type.ts'
import { type Condition, valueAt } from '../../routing/condition.ts'
import { elementIn, readXml, TEXT } from '../../shape/parse-xml.ts'
import type { Sample } from './sample.ts'
import { NO_SOURCE } from './values.ts'

/** A place of requests that may distinguish operations. */
export interface Discriminator {
  /** Names it, such as `header x-amz-target`. */
  readonly key: string
  readonly isQuery?: boolean
  /** Whether it is called as such places usually are. */
  readonly isUsual: boolean
  /** Whether only being there counts, so that requests without it are for another operation. */
  readonly isPresence: boolean
  /** Its value in a request; `undefined` where there is none. */
  value(sample: Sample): string | undefined
  condition(value: string): Condition
}

/** How deep in a body is looked. */
const MAX_DEPTH = 4
/** In how many requests places are looked for, and how many of them are tried. */
const MAX_SAMPLES = 50
const MAX_PLACES = 300

/** Fields that usually say what is to be done. */
const ACTIONS =
  /^(action|method|operation|operation_?name|op|op_?code|command|cmd|request|function|procedure|target|verb|call)$/i
const ACTION_HEADERS = /(action|target|operation|method|command|event)$/

/** The places of some requests, in an order of their own. */
export function discriminatorsOf(samples: readonly Sample[]): readonly Discriminator[] {
  const found = new Map<string, Discriminator>()
  const add = (place: Discriminator): void => {
    if (found.size < MAX_PLACES) entryOf(found, place.key, () => place)
  }
  for (const sample of samples.slice(0, MAX_SAMPLES)) {
    const { headers, query, body, method } = sample
    for (const name of Object.keys(headers)) if (!NO_SOURCE.test(name)) add(ofHeader(name))
    for (const name of Object.keys(query)) {
      add(ofQuery(name))
      add(ofQueryPresence(name))
    }
    if (method === 'DELETE' && isObject(body))
      for (const [name, value] of Object.entries(body)) if (value === true) add(ofFlag(name))
    add(ofType('contentType'))
    add(ofType('accept'))
    if (isForm(sample)) for (const name of Object.keys(isObject(body) ? body : {})) add(ofForm(name))
    else if (typeof body === 'string') for (const path of elementPaths(xmlOf(sample))) add(ofElement(path))
    else {
      for (const pointer of pointersOf(body)) add(ofPointer(pointer))
      add(ONLY_MEMBER)
    }
  }
  return [...found.values()]
}

function ofHeader(name: string): Discriminator {
  return {
    ...{ key: `header ${name}`, isUsual: ACTION_HEADERS.test(name), isPresence: false },
    condition: (equals) => ({ header: name, equals }),
    value: ({ headers }) => headers[name],
  }
}

function ofQuery(name: string): Discriminator {
  return {
    ...{ key: `query ${name}`, isQuery: true, isUsual: ACTIONS.test(name), isPresence: false },
    condition: (equals) => ({ query: name, equals }),
    value: ({ query }) => wordOf(query[name]),
  }
}

function ofQueryPresence(name: string): Discriminator {
  return {
    ...{ key: `query ${name} at all`, isUsual: false, isPresence: true },
    condition: () => ({ query: name }),
    value: ({ query }) => (Object.hasOwn(query, name) ? name : undefined),
  }
}

// What is to be done with what a removal is of, such as `{ "force": true }`.
function ofFlag(name: string): Discriminator {
  return {
    ...{ key: `flag ${name}`, isUsual: false, isPresence: true },
    condition: () => ({ pointer: `/${escapeKey(name)}`, equals: true }),
    value: ({ body }) => (memberOf(body, name) === true ? name : undefined),
  }
}

function ofForm(name: string): Discriminator {
  return {
    ...{ key: `form ${name}`, isUsual: ACTIONS.test(name), isPresence: false },
    condition: (equals) => ({ form: name, equals }),
    value: (sample) => {
      const { body, query } = sample
      return wordOf(query[name]) ?? (isForm(sample) && isObject(body) ? wordOf(body[name]) : undefined)
    },
  }
}

function ofType(place: 'contentType' | 'accept'): Discriminator {
  return {
    ...{ key: place, isUsual: false, isPresence: false },
    condition: (value) => (place === 'accept' ? { accept: value } : { contentType: value }),
    value: ({ headers }) => wordOf(valueAt(place, '', { headers })),
  }
}

function ofPointer(pointer: string): Discriminator {
  const names = readPointer(pointer)
  return {
    ...{ key: `pointer ${pointer}`, isUsual: ACTIONS.test(names.at(-1) ?? ''), isPresence: false },
    condition: (equals) => ({ pointer, equals }),
    value: (sample) => (isForm(sample) ? undefined : wordOf(names.reduce(memberOf, sample.body))),
  }
}

/** The name of a body's only member, such as `{ "createUser": { … } }`. */
const ONLY_MEMBER: Discriminator = {
  ...{ key: 'only member', isUsual: false, isPresence: false },
  condition: (name) => ({ pointer: `/${escapeKey(name)}` }),
  value: (sample) => {
    const names = isObject(sample.body) && !isForm(sample) ? Object.keys(sample.body) : []
    return names.length === 1 ? names[0] : undefined
  },
}

function ofElement(path: string): Discriminator {
  return {
    key: `element ${path}`,
    isUsual: path.endsWith('*') || ACTIONS.test(path.slice(path.lastIndexOf('/') + 1).replace('@', '')),
    isPresence: false,
    condition: (equals) => ({ element: path, equals }),
    value: (sample) => wordOf(elementIn(xmlOf(sample), path)),
  }
}

function pointersOf(body: unknown): readonly string[] {
  const pointers: string[] = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (wordOf(value) !== undefined) pointers.push(path)
    if (depth === MAX_DEPTH || value === null || typeof value !== 'object') return
    // Items of a list are alike, so that the first speaks for all.
    const parts = Array.isArray(value) ? Object.entries(value.slice(0, 1)) : Object.entries(value)
    for (const [name, part] of parts) walk(part, `${path}/${escapeKey(name)}`, depth + 1)
  }
  walk(body, '', 0)
  return pointers
}

function elementPaths(document: unknown): readonly string[] {
  const paths: string[] = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (depth === MAX_DEPTH || !isObject(value)) {
      if (path !== '') paths.push(path)
      return
    }
    paths.push(`${path}/*`)
    for (const [name, part] of Object.entries(value))
      if (name !== TEXT) walk([part].flat()[0], `${path}/${name}`, depth + 1)
  }
  walk(document, '', 0)
  return paths
}

const DOCUMENTS = new WeakMap<Sample, unknown>()

function xmlOf(sample: Sample): unknown {
  const { body, headers } = sample
  if (typeof body !== 'string') return undefined
  const kind = contentKindOf(headers['content-type'] ?? '')
  if (kind !== 'xml' && !/^\s*</.test(body)) return undefined
  if (!DOCUMENTS.has(sample)) DOCUMENTS.set(sample, readXml(body))
  return DOCUMENTS.get(sample)
}

function isForm({ headers }: Sample): boolean {
  return mediaKindOf(headers['content-type'] ?? '') === 'form'
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)] as unknown
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
