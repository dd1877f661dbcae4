import { areKnown, FILE_FACTS } from '../../../collections/files/file-facts.ts'
import type { StoredFile } from '../../../collections/files/stored-file.ts'
import type { FileList, FileOptions, FileOutcome, FileTree } from '../../../engine/file-option.ts'
import { evaluate, rangeOf } from '../../../http/conditions.ts'
import { readXmlTree } from '../../../shape/xml-tree.ts'
import { UUID } from '../../../shape/formats.ts'
import type { Recorded } from '../recorded.ts'
import { templateOf } from './answer-text.ts'
import type { FileRule } from './file-rule.ts'
import type { Play } from './play-files.ts'
import type { Played } from './play-outcomes.ts'
import { greatestOf, leastOf } from '../../../statistics.ts'

/** What checks come to that few servers make. */
const RARE: readonly FileOutcome[] = ['unacceptable', 'malformed']

const OF_CONTENT = ['size.hex', 'modified.hex', 'digest']

/** A rule with how files get their ETags, types and ids, and without the checks that are not made. */
export function withWrites(
  rule: FileRule,
  { played, etags, types, ids, checked, unchecked, careful, unheeded }: Play,
): FileRule {
  const { action, verify: checks, list, tree, ...options } = rule.options
  const verify = checks?.filter(({ outcome = 'mismatch' }) => {
    const isShown = checked.get(rule)?.has(outcome) === true
    return (isShown || !RARE.includes(outcome)) && unchecked.get(rule)?.has(outcome) !== true
  })
  const heeded = Object.entries(list ?? {}).filter(
    ([name]) => !unheeded.get(rule)?.has(name as keyof FileList),
  )
  const own = played.filter((each) => each.rule === rule && each.recorded.status < 300)
  const tags = withKnownBytes(own).flatMap(({ recorded: { index }, facts }) => {
    const text = etags.get(index)
    return text === undefined ? [] : [{ text, facts }]
  })
  const names = [...FILE_FACTS.filter((name) => !name.startsWith('etag')), ...OF_CONTENT]
  const template = templateOf(tags, { names, place: 'etag' })
  const isWrite = action === 'put' || action === 'complete'
  const etag = template?.includes('{') === true ? template : isWrite && tags.length === 0 ? '' : undefined
  const given = own.flatMap(({ recorded: { index }, result: { file } }) => {
    const type = types.get(index)
    return type === undefined || file === undefined ? [] : [{ type, file }]
  })
  const found = typesIn(given)
  const id = idForm(ids.get(rule) ?? [])
  return {
    ...rule,
    options: {
      ...{ action, ...options },
      ...(verify !== undefined && verify.length > 0 && { verify }),
      ...(list !== undefined && { list: Object.fromEntries(heeded) }),
      ...(tree !== undefined && { tree: { ...tree, ...habitsIn(rule, own, { checked, unchecked }) } }),
      ...(id !== undefined && { id }),
      ...(careful.has(rule) && { replaces: false }),
      ...(etag !== undefined && { etag }),
      ...(Object.keys(found).length > 0 && { types: found }),
    },
  }
}

/** Those whose files have bytes that are known, if any. */
export function withKnownBytes(played: readonly Played[]): readonly Played[] {
  const known = played.filter(({ result: { file } }) => file === undefined || areKnown(file.bytes))
  return known.length > 0 ? known : played
}

/** What a server does that not all do with trees; what it does not show is not done. */
function habitsIn(
  rule: FileRule,
  own: readonly Played[],
  { checked, unchecked }: Pick<Play, 'checked' | 'unchecked'>,
): FileTree {
  const among = (outcomes: Play['checked'], outcome: FileOutcome): boolean =>
    [...outcomes.values()].some((each) => each.has(outcome))
  const isIn = (outcomes: Play['checked'], outcome: FileOutcome): boolean =>
    outcomes.get(rule)?.has(outcome) === true
  const roots = own.map(({ recorded }) => readXmlTree(recorded.answered.bytes?.toString() ?? '')?.name)
  const response =
    rule.options.action === 'make' ? roots.find((name) => name?.endsWith('-response')) : undefined
  return {
    checks: isIn(checked, 'mismatch') && !isIn(unchecked, 'mismatch'),
    slash: among(checked, 'slash') && !isIn(unchecked, 'slash'),
    locks: among(checked, 'locked') && !among(unchecked, 'locked'),
    parents: isIn(unchecked, 'orphan') && !isIn(checked, 'orphan'),
    ...(response !== undefined && { response }),
  }
}

// Ids of uploads are UUIDs where nothing is said.
function idForm(ids: readonly string[]): FileOptions['id'] {
  const [first = ''] = ids
  if (first === '' || ids.every((id) => UUID.test(id))) return undefined
  const letters = ['0-9', '0-9a-f', '0-9a-z', '0-9A-Z', '0-9A-Za-z'].find((each) =>
    ids.every((id) => new RegExp(`^[${each}]+$`).test(id)),
  )
  const lengths = ids.map(({ length }) => length)
  const [least, most] = [leastOf(lengths), greatestOf(lengths)]
  const count = least === most ? `${least}` : `${least},${most}`
  return { type: 'string', pattern: `^[${letters ?? '0-9A-Za-z_-'}]{${count}}$` }
}

/** Media types by the endings of names, where they are others than were sent; `*` for what was sent without one. */
function typesIn(
  given: readonly { readonly type: string; readonly file: StoredFile }[],
): Record<string, string> {
  const others = given.filter(({ type, file }) => type !== file.type)
  const isConstant = new Set(given.map(({ type }) => type)).size === 1
  const unsent = others.find(({ file }) => file.type === '')
  if (isConstant) return unsent === undefined ? {} : { '*': unsent.type }
  const byEnding = others.flatMap(({ type, file }): [string, string][] => {
    const [, ending] = /\.([^./]+)$/.exec(file.key) ?? []
    return ending === undefined ? (file.type === '' ? [['*', type]] : []) : [[ending, type]]
  })
  return Object.fromEntries(byEnding)
}

/** Preconditions and ranges that a server did not heed. */
export function ignoredIn(played: readonly Played[]): readonly string[] {
  const names = new Set<string>()
  for (const { recorded, rule } of played) {
    if (rule.options.action !== 'get' || recorded.status !== 200) continue
    for (const name of ['if-match', 'if-unmodified-since', 'range', 'if-none-match', 'if-modified-since'])
      if (name in recorded.headers && isUnmet(name, recorded)) names.add(name)
  }
  return [...names].toSorted()
}

function isUnmet(name: string, { headers, answered }: Recorded): boolean {
  const conditions = { [name]: headers[name]?.[0] ?? '' }
  const validators = {
    etag: answered.headers['etag']?.[0],
    lastModified: answered.headers['last-modified']?.[0],
  }
  if (name === 'range') return rangeOf(conditions, validators, answered.bytes?.length ?? 0) !== undefined
  return evaluate('GET', conditions, validators) !== 'met'
}
