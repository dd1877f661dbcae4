import { TOKEN } from '../../../collections/dav/multi-status.ts'
import { treeIn } from '../../../collections/dav/resource-tree.ts'
import { runFileAction } from '../../../collections/files/file-actions.ts'
import { type FileRequest, placeIn } from '../../../collections/files/keep-file.ts'
import { escapeFor, type Facts, fill, joined, noteUnknown } from '../../../collections/files/file-facts.ts'
import { fileRequest, uploadIdIn } from '../../../collections/files/file-request.ts'
import { type Files, filesIn, type StoredFile } from '../../../collections/files/stored-file.ts'
import type { FileList, FileOptions, FileOutcome } from '../../../engine/file-option.ts'
import { entryOf } from '../../../grouping.ts'
import { type BodyContent, createBodyContent, parseContent } from '../../../http/body-content.ts'
import { compileWhen } from '../../../routing/condition.ts'
import { createRouter } from '../../../routing/router.ts'
import { readXml } from '../../../shape/parse-xml.ts'
import { textIn } from '../../../shape/xml-tree.ts'
import { createMemoryStore } from '../../../state/memory-store.ts'
import { eachRecorded, type Recorded } from '../recorded.ts'
import type { Sample } from '../sample.ts'
import { leavesOf, partsOf } from './answer-tree.ts'
import { areAgreed, ASKING, type Played, statusIn } from './play-outcomes.ts'
import { type FileRule, type There, withThere } from './file-rule.ts'
import { type PropertiesSeen, seeProperties } from './tree-properties.ts'

type Outcomes = ReadonlyMap<FileRule, ReadonlySet<FileOutcome>>

/** What became of it. */
export interface Play {
  readonly played: readonly Played[]
  /** ETags of files, and the media types they are given with, by the exchange that wrote them. */
  readonly etags: ReadonlyMap<number, string>
  readonly types: ReadonlyMap<number, string>
  /** Ids that uploads were given. */
  readonly ids: ReadonlyMap<FileRule, readonly string[]>
  /** What requests of rules come to where the server shows it, and where it does not. */
  readonly checked: Outcomes
  readonly unchecked: Outcomes
  /** Rules that replace nothing. */
  readonly careful: ReadonlySet<FileRule>
  /** Preconditions that the server did not heed. */
  readonly unconditional: ReadonlyMap<FileRule, ReadonlySet<string>>
  /** What routes need that must have been there before, by their `needs`. */
  readonly there: There
  /** What of lists the server does not heed. */
  readonly unheeded: ReadonlyMap<FileRule, ReadonlySet<keyof FileList>>
}

/**
 * Plays the requests of a recording to stored files, as the rules say.
 * @param known ETags of files, by the exchange that wrote them
 * @param before what must have been there before
 */
export async function play(
  recording: string,
  rules: readonly FileRule[],
  samples: ReadonlyMap<number, Sample>,
  known: ReadonlyMap<number, string> = new Map(),
  before: There = new Map(),
): Promise<Play> {
  const router = createRouter(
    rules.map((rule) => ({
      ...{ method: rule.method, path: rule.path, rule },
      when: rule.when && compileWhen(rule.when),
    })),
  )
  const needsContent = rules.some(({ when = [] }) => when.some((each) => 'element' in each))
  const files = filesIn(createMemoryStore())
  const writtenBy = new WeakMap<StoredFile, number>()
  const [etags, types] = [new Map<number, string>(), new Map<number, string>()]
  const ids = new Map<FileRule, string[]>()
  const [checked, unchecked] = [new Map<FileRule, Set<FileOutcome>>(), new Map<FileRule, Set<FileOutcome>>()]
  const unheeded = new Map<FileRule, Set<keyof FileList>>()
  const there = new Map([...before].map(([needs, paths]) => [needs, new Set(paths)]))
  const careful = new Set<FileRule>()
  const unconditional = new Map<FileRule, Set<string>>()
  const played: Played[] = []
  for await (const recorded of eachRecorded(recording)) {
    const { index, method, url, standIn, status, answered, headers } = recorded
    const sent = standIn === undefined ? recorded.sent : noteUnknown(standIn)
    if (!samples.has(index) || sent === undefined) continue
    const [path = '', search = ''] = url.split(/\?(.*)/s)
    const content = needsContent ? await contentOf(recorded) : undefined
    const match = router.match({ method, path, search, headers, ...(content && { content }) })
    if (match === undefined) continue
    const { rule } = match.route
    const { action, keys } = rule.options
    // What it would delete is not known.
    if (keys !== undefined && readXml(sent.toString()) === undefined) continue
    const own = statusIn(recorded, action)
    const staged = stage(files)
    const newId = (): string => {
      const id = madeId(recorded)
      entryOf(ids, rule, () => []).push(id)
      return id
    }
    const date = Date.parse(answered.headers['date']?.[0] ?? '')
    const request = {
      ...fileRequest({ method, path, params: match.params, search, headers, bytes: sent }, rule.options),
      ...{ now: Number.isNaN(date) ? index : date, newId, made: () => '' },
      ...{ etag: known.get(index), lock: lockIn(recorded) },
    }
    const optionsNow = (): FileOptions => ({ etag: '', ...withThere(rule.options, there) })
    let options = optionsNow()
    let result = runFileAction(options, request, staged.files)
    const { needs, tree } = rule.options
    if (result.outcome === 'orphan' && own < 400 && needs !== undefined && tree === undefined) {
      entryOf(there, needs, () => new Set()).add(fill(needs, result.facts))
      options = optionsNow()
      result = runFileAction(options, request, staged.files)
    }
    let isAgreed = areAgreed(own, result, rule)
    entryOf(isAgreed ? checked : unchecked, rule, () => new Set()).add(result.outcome)
    if (!isAgreed && CHECKED.includes(result.outcome)) {
      result = runFileAction(withoutChecks(options), request, staged.files)
      isAgreed = areAgreed(own, result, rule)
    }
    if (result.outcome === 'precondition' && own < 400) {
      for (const name of Object.keys(request.conditions ?? {}))
        entryOf(unconditional, rule, () => new Set()).add(name)
      result = runFileAction(options, { ...request, conditions: undefined }, staged.files)
      isAgreed = areAgreed(own, result, rule)
    }
    if (action === 'list' && status < 300)
      for (const each of unheededIn(options, request, staged.files, recorded))
        entryOf(unheeded, rule, () => new Set()).add(each)
    if (result.outcome === 'replaced' && status === 409) careful.add(rule)
    const facts = joined(result.facts, factsOf(recorded))
    const exchange = { rule, recorded, result, facts, params: Object.keys(match.params) }
    if (!isAgreed) {
      played.push({ ...exchange, isAgreed: false })
      continue
    }
    const seen = seenIn(recorded, rule, { facts: result.facts, files: staged.files, now: request.now })
    if (own < 400) staged.commit()
    const { file } = result
    const isWrite = /^(put|complete|begin)$/.test(action) && status < 300
    if (isWrite && file !== undefined) writtenBy.set(file, index)
    const by = file && writtenBy.get(file)
    const etag = answered.headers['etag']?.[0] ?? (isWrite ? etagIn(answered.bytes) : undefined)
    if (by !== undefined && etag !== undefined && status < 300 && action !== 'begin') etags.set(by, etag)
    const { overrides } = rule.options
    const isOverridden =
      overrides !== undefined && Object.keys(request.query).some((name) => name.startsWith(overrides))
    if (by !== undefined && action === 'get' && status === 200 && !isOverridden)
      types.set(by, answered.headers['content-type']?.[0] ?? '')
    played.push({ ...exchange, isAgreed: true, seen })
  }
  return { played, etags, types, ids, checked, unchecked, careful, unconditional, there, unheeded }
}

/** What checks come to that a server may not make. */
const CHECKED: readonly FileOutcome[] = [
  ...(['mismatch', 'unsupported', 'unacceptable', 'malformed', 'slash', 'locked', 'orphan'] as const),
]

function withoutChecks({ tree, ...options }: FileOptions): FileOptions {
  const free = { ...tree, checks: false, slash: false, locks: false, parents: true }
  return { ...options, verify: [], ...(tree !== undefined && { tree: free }) }
}

const OF_LISTS = ['prefix', 'delimiter', 'max', 'after'] as const

/** What of a list makes no difference: without it more is listed, and the answer has it all. */
function unheededIn(
  options: FileOptions,
  request: FileRequest,
  files: Files,
  { answered: { bytes, type } }: Recorded,
): readonly (keyof FileList)[] {
  const { list = {} } = options
  const tree = partsOf(bytes?.toString() ?? '', type)
  const answered = tree === undefined ? new Set<string>() : leavesOf(tree)
  const namesIn = (own: FileList): readonly string[] => {
    const { facts } = runFileAction({ ...options, list: own }, request, files)
    return ['files', 'prefixes'].flatMap((of) => {
      const found = facts(of)
      const each = Array.isArray(found) ? (found as readonly Facts[]) : []
      return each.map((item) => escapeFor(type)(String(item('key') ?? item('prefix'))))
    })
  }
  const { length } = namesIn(list)
  return OF_LISTS.filter((name) => {
    if (list[name] === undefined) return false
    const { [name]: _heeded, ...others } = list
    const names = namesIn(others)
    return names.length > length && names.every((each) => answered.has(each))
  })
}

// What a server says of a collection is noted, since a later request may name it.
function seenIn(
  recorded: Recorded,
  { options }: FileRule,
  { facts, files, now }: { readonly facts: Facts; readonly files: Files; readonly now: number },
): PropertiesSeen | undefined {
  if (!ASKING.test(options.action)) return undefined
  const { path } = placeIn(options, facts)
  const tree = treeIn(files, path, options.tree?.exists ?? [], now)
  const seen = seeProperties(recorded, tree, path)
  for (const { name, element, resource } of seen?.properties ?? [])
    if (name === TOKEN) tree.note(textIn(element).trim(), resource.key)
  return seen
}

// What is not of the kind that its type says fits no condition.
async function contentOf({ sent = NO_BYTES, headers }: Recorded): Promise<BodyContent> {
  return createBodyContent(await parseContent(sent, headers['content-type']?.[0]).catch(() => undefined))
}

const NO_BYTES = Buffer.alloc(0)

/** Files whose changes are made once it is known that the server made them. */
function stage(files: Files): { readonly files: Files; readonly commit: () => void } {
  const changes: (() => void)[] = []
  return {
    files: {
      ...files,
      put: (path, key, file) => void changes.push(() => files.put(path, key, file)),
      delete(path, key) {
        changes.push(() => void files.delete(path, key))
        return files.get(path, key) !== undefined
      },
    },
    commit: () => changes.forEach((change) => change()),
  }
}

function lockIn({ answered: { headers, bytes } }: Recorded): string | undefined {
  if (headers['lock-token'] === undefined) return undefined
  const text = bytes?.toString('latin1') ?? ''
  const [, token] = /locktoken>\s*<(?:[\w-]+:)?href>\s*([^<\s]+)/.exec(text) ?? []
  return token ?? headers['lock-token'][0]?.replace(/^<|>$/g, '')
}

function madeId({ answered }: Recorded): string {
  return uploadIdIn(answered.headers['location']?.[0], answered.bytes?.toString('latin1') ?? '')
}

function etagIn(bytes: Buffer | undefined): string | undefined {
  const [, etag] = /<ETag>([^<]+)</.exec(bytes?.toString('latin1') ?? '') ?? []
  return etag?.replace(/&quot;|&#34;/g, '"')
}

function factsOf({ url }: Recorded): Facts {
  const path = url.replace(/\/?(\?.*)?$/s, '')
  return (name) => (name === 'path' ? path : undefined)
}
