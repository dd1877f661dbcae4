import type { FileList } from '../../engine/file-option.ts'
import { type Facts, factsOfFile, fill } from './file-facts.ts'
import type { StoredFile } from './stored-file.ts'

const MAX_LISTED = 1000

/**
 * What a list of files says: `files` and `prefixes` (what has the delimiter after the prefix, once each), `count` of
 * both, `max`, `truncated`, and where it goes on: `next`, or `next.key` as a name, which are there if it does.
 * @param files in the order of their names
 */
export function listFiles(files: readonly StoredFile[], list: FileList, facts: Facts): Facts {
  const valueOf = (template: string | undefined): string => fill(template ?? '', facts)
  const [prefix, delimiter] = [list.prefix, list.delimiter].map(valueOf)
  const after = list.after?.map(valueOf).find((text) => text !== '')
  const given = Number.parseInt(valueOf(list.max), 10)
  const max = Number.isNaN(given) ? MAX_LISTED : Math.min(given, MAX_LISTED)
  const entries = new Map<string, StoredFile | undefined>()
  for (const file of files) {
    if (!file.key.startsWith(prefix ?? '')) continue
    if (list.omit !== undefined && file.key.startsWith(list.omit)) continue
    const end = (delimiter ?? '') === '' ? -1 : file.key.indexOf(delimiter ?? '', prefix?.length)
    if (end < 0) entries.set(file.key, file)
    else entries.set(file.key.slice(0, end + (delimiter?.length ?? 0)), undefined)
  }
  const start = tokenKey(after ?? '')
  const rest = [...entries].filter(([name]) => start === '' || name > start)
  const page = rest.slice(0, max)
  const isTruncated = rest.length > page.length
  const [last = ''] = page.at(-1) ?? []
  const ofFiles = page.flatMap(([, file]) => (file === undefined ? [] : [factsOfFile(file)]))
  const ofPrefixes = page.flatMap(([name, file]): Facts[] =>
    file !== undefined
      ? []
      : [(fact) => (fact === 'prefix' ? name : fact === 'folder' ? name.replace(/\/$/, '') : undefined)],
  )
  const known: Readonly<Record<string, string | readonly Facts[]>> = {
    files: ofFiles,
    prefixes: ofPrefixes,
    count: String(page.length),
    'files.count': String(ofFiles.length),
    max: String(max),
    truncated: String(isTruncated),
    ...(isTruncated && {
      ...{ next: tokenOf(last), 'next.key': last },
      'next.key.url': encodeURIComponent(last),
    }),
  }
  return (name) => (Object.hasOwn(known, name) ? known[name] : undefined)
}

const TOKEN = 'after:'

function tokenOf(key: string): string {
  return Buffer.from(`${TOKEN}${key}`).toString('base64url')
}

// A name is one by itself, a token says which it stands for.
function tokenKey(after: string): string {
  const text = Buffer.from(after, 'base64url').toString()
  return text.startsWith(TOKEN) ? text.slice(TOKEN.length) : after
}
