import { keyOf, parentOf, targetOf } from '../../../collections/dav/resource-tree.ts'
import { dav } from '../../../collections/dav/multi-status.ts'
import type { FileTree } from '../../../engine/file-option.ts'
import { elementsIn, readXmlTree, textIn } from '../../../shape/xml-tree.ts'
import { findDavTree } from '../../protocols/webdav.ts'
import { pathOf, type Sample } from '../sample.ts'
import { findMade } from '../segment-evidence.ts'
import type { FileRule } from './file-rule.ts'

const REPORTS = [
  ...['calendar-query', 'calendar-multiget', 'addressbook-query', 'addressbook-multiget'],
  'sync-collection',
]

/** Whether properties of what is stored were requested for (RFC 4918). */
export function isTree(samples: readonly Sample[]): boolean {
  return samples.some(
    ({ method, status }) =>
      (method === 'PROPFIND' && status === 207) || (method === 'MKCOL' && status === 201),
  )
}

/** Rules for files and collections in a tree, such as those of calendars. */
export function treeRules(samples: readonly Sample[]): readonly FileRule[] {
  const { above = [] } = findDavTree(samples, findMade(samples)) ?? {}
  const folder = `/${above.map(encodeURIComponent).join('/')}`
  // What servers may do is looked for.
  const habits = { checks: true, slash: true, locks: true }
  const tree: FileTree = { exists: findInitial(samples, folder), ...habits }
  const path = `${folder === '/' ? '' : folder}/{path*}`
  const place = { in: folder, key: '{path}' }
  const rule = (method: string, options: FileRule['options']): FileRule => ({ method, path, options })
  const calendars = { ...tree, kind: 'calendar collection' }
  const asking = [
    rule('PROPFIND', { action: 'properties', ...place, tree }),
    rule('PROPPATCH', { action: 'change', ...place, tree }),
    ...REPORTS.map((name): FileRule => ({
      ...rule('REPORT', { action: 'report', ...place, tree }),
      ...{ name, when: [{ element: '/*', equals: name }] },
    })),
  ]
  const atTop = asking.map((each): FileRule => ({
    ...each,
    path: folder,
    options: { ...each.options, in: folder, key: '' },
  }))
  return [
    rule('PUT', { action: 'put', ...place, tree }),
    rule('GET', { action: 'get', ...place, tree }),
    rule('DELETE', { action: 'delete', ...place, tree }),
    rule('MKCOL', { action: 'make', ...place, tree }),
    rule('MKCALENDAR', { action: 'make', ...place, tree: calendars }),
    rule('LOCK', { action: 'lock', ...place, tree }),
    rule('UNLOCK', { action: 'unlock', ...place, tree }),
    rule('COPY', { action: 'copy', ...place, tree }),
    rule('MOVE', { action: 'move', ...place, tree }),
    ...asking,
    ...atTop,
  ]
}

/**
 * What is there without any request having made it: what was seen, and what something could be made in. Where clients
 * have a place of their own each, whatever they are called, all of these are.
 */
function findInitial(samples: readonly Sample[], folder: string): readonly string[] {
  const made = new Set<string>()
  const found = new Map<string, boolean>()
  const missing = new Set<string>()
  const note = (key: string | undefined, isFolder: boolean): void => {
    if (key !== undefined && key !== '' && !made.has(key)) found.set(key, found.get(key) === true || isFolder)
  }
  for (const sample of samples) {
    const { method, status, headers, response } = sample
    const key = targetOf(pathOf(sample), folder)
    if (key === undefined) continue
    if (status === 404 && /^(GET|HEAD|PROPFIND|PROPPATCH|DELETE|COPY|MOVE)$/.test(method)) missing.add(key)
    if (status >= 300) continue
    const target = /^(COPY|MOVE)$/.test(method) ? targetOf(headers['destination'] ?? '', folder) : key
    if (/^(PUT|MKCOL|MKCALENDAR|COPY|MOVE)$/.test(method) && target !== undefined) {
      note(parentOf(target), true)
      made.add(target)
    }
    if (method !== 'PROPFIND' || typeof response !== 'string') continue
    for (const each of elementsIn(readXmlTree(response), dav('response'))) {
      const href = textIn(elementsIn(each, dav('href'))[0]).trim()
      const isFolder = href.endsWith('/')
      if (!elementsIn(each, dav('status')).some((own) => / 4\d\d/.test(textIn(own))))
        note(targetOf(href, folder), isFolder)
    }
  }
  // What is below what was made came with it.
  const initial = [...found].filter(([key]) => ![...made].some((each) => key.startsWith(`${each}/`)))
  const paths = initial.map(([key, isFolder]) => `/${key}${isFolder ? '/' : ''}`)
  const tops = paths.filter((path) => /^\/[^/]+\/$/.test(path))
  const isOwnPlace =
    tops.length === 1 && ![...missing, ...made].some((key) => key !== '' && !keyOf(key).includes('/'))
  return ['/', ...paths.toSorted(), ...(isOwnPlace ? ['/*/'] : [])]
}
