import { elementsIn, localName, textIn } from '../../shape/xml-tree.ts'
import type { FileResult } from '../files/keep-file.ts'
import { fitsQuery } from './filter.ts'
import {
  type RequestedProperties,
  requestedIn,
  dav,
  hrefOf,
  propertiesOf,
  type ResponseItem,
  TOKEN,
  writeMultiStatus,
} from './multi-status.ts'
import { type Resource, targetOf, type TreeCall } from './resource-tree.ts'

/**
 * Answers a report on a collection: what a query finds, what is at the addresses it names, or what was changed since a
 * token (RFC 3253, section 3.6; RFC 4791, section 7; RFC 6352, section 8; RFC 6578).
 */
export function report(call: TreeCall): FileResult {
  const { found, facts, body, place, options } = call
  if (found === undefined) return { outcome: 'missing', facts }
  const kind = localName(body?.name ?? '')
  const { prefixes } = options.tree
  if (body === undefined || !/-query$|-multiget$|^sync-collection$/.test(kind))
    return { outcome: 'unsupported', facts }
  const requested = { requested: requestedIn(body), path: place.path }
  if (kind === 'sync-collection') return synchronize(call, found, requested.requested)
  const answers = kind.endsWith('-multiget')
    ? named(call, requested.requested)
    : queried(call, found, requested.requested)
  return { outcome: 'done', facts, text: writeMultiStatus(answers, prefixes) }
}

function named(
  { tree, body, options, place }: TreeCall,
  requested: RequestedProperties,
): readonly ResponseItem[] {
  const hrefs = [...new Set(elementsIn(body, dav('href')).map((each) => textIn(each).trim()))]
  return hrefs.map((href) => {
    const key = targetOf(href, place.path)
    const resource = key === undefined ? undefined : tree.at(key)
    return resource === undefined
      ? { href, status: 404 }
      : propertiesOf(tree, options.tree, resource, { requested, path: place.path })
  })
}

function queried(call: TreeCall, found: Resource, requested: RequestedProperties): readonly ResponseItem[] {
  const { tree, key, body, options, place } = call
  const below = found.isFolder ? tree.withBelow(key) : [found]
  return below
    .filter(({ isFolder, file }) => !isFolder && body !== undefined && fitsQuery(body, file.bytes.toString()))
    .map((each) => propertiesOf(tree, options.tree, each, { requested, path: place.path }))
}

function synchronize(call: TreeCall, found: Resource, requested: RequestedProperties): FileResult {
  const { tree, key, body, options, place, facts } = call
  const given = textIn(elementsIn(body, TOKEN)[0]).trim()
  const before = given === '' ? new Map<string, string>() : tree.notedAt(given)
  if (before === undefined) return { outcome: 'mismatch', facts }
  const level = textIn(elementsIn(body, dav('sync-level'))[0]).trim()
  const members = (level === 'infinite' ? tree.withBelow(key) : tree.membersOf(key)).filter(
    (each) => each.key !== key,
  )
  const changed = members.filter((each) => before.get(each.key) !== tree.stateOf(each.key))
  const gone = [...before.keys()].filter((each) => !members.some((member) => member.key === each))
  const about = { requested, path: place.path }
  const items: ResponseItem[] = [
    ...changed.map((each) => propertiesOf(tree, options.tree, each, about)),
    ...gone.map((each) => ({
      href: hrefOf(place.path, { key: each, isFolder: false }, options.tree.base),
      status: 404,
    })),
  ]
  const token = tokenOf(call, found)
  tree.note(token, key)
  return { outcome: 'done', facts, text: writeMultiStatus(items, options.tree.prefixes, [[TOKEN, token]]) }
}

function tokenOf({ tree, options, place }: TreeCall, found: Resource): string {
  const requested = { names: [TOKEN], isOfNames: false }
  const { properties: [token] = [] } = propertiesOf(tree, options.tree, found, {
    requested,
    path: place.path,
  })
  const text = token?.status === 200 ? token.value : `urn:sync:${tree.stateOf(found.key)}`
  return text.replaceAll('&amp;', '&')
}
