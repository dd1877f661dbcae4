import { isDeepStrictEqual } from 'node:util'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { type Item, itemView } from './item-place.ts'
import { createWriteNotes } from './item-writes.ts'
import { isAtResource, type Resource } from './resources.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/**
 * Finds paths at which there is one item that requests read and change, such as settings: it was read before anything
 * changed it, or was not there until a PUT, and what requests sent is in later answers.
 */
export function findSingleItems(folded: readonly Folded[], known: readonly Resource[]): readonly Resource[] {
  return folded.flatMap((each): readonly Resource[] => {
    const { host, path, parameters, samples } = each
    if (parameters.length > 0 || known.some((resource) => isAtResource(resource, { host, path }))) return []
    const fine = samples.filter(({ status }) => status < 300)
    const reads = fine.filter(({ method }) => method === 'GET')
    const shown = Object.keys(reads[0]?.response ?? {})
    // What is posted changes it where it is answered as what is read, with what was sent.
    const isChange = ({ method, body, response }: Sample): boolean =>
      /^(PUT|PATCH)$/.test(method) ||
      (method === 'POST' &&
        isObject(response) &&
        isDeepStrictEqual(Object.keys(response).toSorted(), shown.toSorted()) &&
        Object.keys(body as Item).every((name) => Object.hasOwn(response, name)))
    const writes = fine.filter((sample) => isObject(sample.body) && isChange(sample))
    const [change] = writes
    const before = reads.filter(({ index }) => index < (change?.index ?? 0))
    const isMade =
      before.length === 0 &&
      change?.method === 'PUT' &&
      samples.some(({ method, status, index }) => method === 'GET' && status === 404 && index < change.index)
    const isSame = before.every(({ response }) => isDeepStrictEqual(response, before[0]?.response))
    if (
      change === undefined ||
      (before.length === 0 && !isMade) ||
      !isSame ||
      !reads.every(({ response }) => isObject(response))
    )
      return []
    const answer = envelopeOf(
      reads.map(({ response }) => response as Item),
      writes.map((write) => write.body as Item),
    )
    const body = writes.every((write) => isObject(memberAt(write.body, answer))) ? answer : []
    const place = { answer, body, id: [] }
    const notes = createWriteNotes(place)
    const [first] = reads
    let item: Item | undefined = isMade ? undefined : (memberAt(first?.response, answer) as Item)
    let seed: Item = item ?? {}
    let [confirmed, contradicted] = [0, 0]
    let sent: Item = {}
    for (const sample of [...reads, ...writes].toSorted((a, b) => a.index - b.index)) {
      const view = itemView(sample, place)
      notes.note(view, true, item, item === undefined)
      if (sample.method !== 'GET' && isObject(view.body)) sent = { ...sent, ...view.body }
      if (!isObject(view.response) || Object.keys(sent).length === 0) continue
      seed = enlarged(seed, view.response, sent)
      if (holds(view.response, sent)) confirmed++
      else contradicted++
      item = view.response
    }
    return [
      {
        ...{ host, path, collection: path, place, isOnly: true, elsewhere: [], idOf: (_, name) => name },
        ...{ writes: notes.found(), unseen: new Map(), sorted: undefined },
        seeds: new Map(isMade ? [] : [[path, [seed]]]),
        ...{ assigned: [], unique: [], repeats: {}, confirmed, contradicted },
        empty: new Set(
          Object.entries(item ?? {}).flatMap(([name, value]) =>
            value == null || seed[name] == null ? [name] : [],
          ),
        ),
      },
    ]
  })
}

// What every answer has as its only member, or beside what is always empty, if bodies have no other.
function envelopeOf(answers: readonly Item[], bodies: readonly Item[]): readonly string[] {
  const names = [...new Set(answers.flatMap((answer) => Object.keys(answer)))]
  const [name, ...others] = names.filter((each) => !answers.every((answer) => isEmpty(answer[each])))
  const isSent = bodies.every((body) => Object.keys(body).join() === name)
  return name !== undefined &&
    others.length === 0 &&
    (names.length === 1 || isSent) &&
    answers.every((answer) => isObject(answer[name]))
    ? [name]
    : []
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

// What no request has sent was so from the start, though it was not shown.
function enlarged(seed: Item, item: Item, sent: Item): Item {
  const more = Object.entries(item).filter(([name]) => seed[name] == null && !Object.hasOwn(sent, name))
  return { ...seed, ...Object.fromEntries(more) }
}

// What is not a plain value may be laid over what was there.
function holds(item: Item, sent: Item): boolean {
  const plain = Object.entries(sent).filter(([, value]) => isScalar(value))
  return (
    plain.some(([name, value]) => item[name] === value) &&
    plain.every(([name, value]) => !Object.hasOwn(item, name) || item[name] === value)
  )
}

/** What is done to the item, where what changes it counts as what replaces another does. */
export function asWrites<Each extends { readonly method: string; readonly samples: readonly Sample[] }>(
  views: readonly Each[],
): readonly Each[] {
  return views.map((view) =>
    view.method === 'PATCH' || view.method === 'POST' ? { ...view, method: 'PUT' } : view,
  )
}
