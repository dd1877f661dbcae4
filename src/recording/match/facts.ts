import type { Entity } from '../../state/entities.ts'
import { readXml } from '../../shape/parse-xml.ts'
import { unsigned } from './signed-urls.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** What a request says, by where it says it: `path/1`, `query/page`, `body/user/name`, and of what is stored at its path. */
export type Facts = ReadonlyMap<string, Fact>
/** A value without parts. */
export type Fact = string | number | boolean

const MAX_DEPTH = 12
const MAX_FACTS = 400

/** What a request says. @param body its body as a JSON value, if it is one */
export function factsOf(url: string, body: unknown, entity: Entity): Facts {
  const facts = requestFacts(url, body)
  facts.set('state', entity.state)
  facts.set('condition', entity.condition ?? 'none')
  facts.set('kind', entity.sent === undefined ? 'none' : typeof entity.sent)
  if (entity.by !== undefined) facts.set('by', entity.by)
  if (entity.writes !== undefined) facts.set('writes', entity.writes)
  addFacts(facts, 'sent', entity.sent)
  addFacts(facts, 'answered', entity.answered)
  addFacts(facts, 'made', entity.made)
  if (entity.etag !== undefined) facts.set('etag', entity.etag)
  return facts
}

/** What a request says by itself. */
export function requestFacts(url: string, body: unknown): Map<string, Fact> {
  const facts = new Map<string, Fact>()
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  path.split('/').forEach((segment, index) => index > 0 && facts.set(`path/${index}`, decodeSegment(segment)))
  for (const [name, value] of unsigned([...new URLSearchParams(search)])) facts.set(`query/${name}`, value)
  addFacts(facts, 'body', typeof body === 'string' && body.startsWith('<') ? (readXml(body) ?? body) : body)
  return facts
}

/** Adds what a value says, by places that begin with `place`. */
export function addFacts(facts: Map<string, Fact>, place: string, value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH || facts.size >= MAX_FACTS) return
  if (value !== null && typeof value === 'object') {
    for (const [name, part] of Object.entries(value)) addFacts(facts, `${place}/${name}`, part, depth + 1)
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    facts.set(place, value)
}
