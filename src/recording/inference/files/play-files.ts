import { type FileResult, runFileAction } from '../../../collections/files/file-actions.ts'
import { type Facts, joined } from '../../../collections/files/file-facts.ts'
import { fileRequest, uploadIdIn } from '../../../collections/files/file-request.ts'
import { type Files, filesIn, type StoredFile } from '../../../collections/files/stored-file.ts'
import type { FileOutcome } from '../../../engine/file-option.ts'
import { entryOf } from '../../../grouping.ts'
import { compileWhen } from '../../../routing/condition.ts'
import { createRouter } from '../../../routing/router.ts'
import { createMemoryStore } from '../../../state/memory-store.ts'
import { eachRecorded, type Recorded } from '../recorded.ts'
import type { Sample } from '../sample.ts'
import type { FileRule } from './file-rule.ts'

/** A recorded exchange with what the files would have made of it. */
export interface Played {
  readonly rule: FileRule
  readonly params: readonly string[]
  /** Whether the server did what is done with stored files. */
  readonly isAgreed: boolean
  readonly recorded: Recorded
  readonly result: FileResult
  readonly facts: Facts
}

/** What became of it. */
export interface Play {
  readonly played: readonly Played[]
  /** ETags of files, and the media types they are given with, by the exchange that wrote them. */
  readonly etags: ReadonlyMap<number, string>
  readonly types: ReadonlyMap<number, string>
  /** Ids that uploads were given. */
  readonly ids: ReadonlyMap<FileRule, readonly string[]>
  /** Rules whose checks the server does not make, and those that replace nothing. */
  readonly unchecked: ReadonlySet<FileRule>
  readonly careful: ReadonlySet<FileRule>
}

/**
 * Plays the requests of a recording to stored files, as the rules say.
 * @param known ETags of files, by the exchange that wrote them
 */
export async function play(
  recording: string,
  rules: readonly FileRule[],
  samples: ReadonlyMap<number, Sample>,
  known: ReadonlyMap<number, string> = new Map(),
): Promise<Play> {
  const router = createRouter(
    rules.map((rule) => ({
      ...{ method: rule.method, path: rule.path, rule },
      when: rule.when && compileWhen(rule.when),
    })),
  )
  const files = filesIn(createMemoryStore())
  const writtenBy = new WeakMap<StoredFile, number>()
  const [etags, types] = [new Map<number, string>(), new Map<number, string>()]
  const ids = new Map<FileRule, string[]>()
  const [unchecked, careful] = [new Set<FileRule>(), new Set<FileRule>()]
  const played: Played[] = []
  for await (const recorded of eachRecorded(recording)) {
    const { index, method, url, sent, status, answered, headers } = recorded
    if (!samples.has(index) || sent === undefined) continue
    const [path = '', search = ''] = url.split(/\?(.*)/s)
    const match = router.match({ method, path, search, headers })
    if (match === undefined) continue
    const { rule } = match.route
    const { action } = rule.options
    const staged = stage(files)
    const newId = (): string => {
      const id = madeId(recorded)
      entryOf(ids, rule, () => []).push(id)
      return id
    }
    const date = Date.parse(answered.headers['date']?.[0] ?? '')
    const request = {
      ...fileRequest({ method, params: match.params, search, headers, bytes: sent }, rule.options),
      ...{ now: Number.isNaN(date) ? index : date, newId, made: () => '' },
      etag: known.get(index),
    }
    const result = runFileAction({ etag: '', ...rule.options }, request, staged.files)
    if (['mismatch', 'unsupported'].includes(result.outcome) && status < 400) unchecked.add(rule)
    if (result.outcome === 'replaced' && status === 409) careful.add(rule)
    const facts = joined(result.facts, factsOf(recorded))
    const exchange = { rule, recorded, result, facts, params: Object.keys(match.params) }
    if (!areAgreed(recorded, result, action)) {
      played.push({ ...exchange, isAgreed: false })
      continue
    }
    if (status < 400) staged.commit()
    const { file } = result
    const isWrite = /^(put|complete|begin)$/.test(action) && status < 300
    if (isWrite && file !== undefined) writtenBy.set(file, index)
    const by = file && writtenBy.get(file)
    const etag = answered.headers['etag']?.[0] ?? (isWrite ? etagIn(answered.bytes) : undefined)
    if (by !== undefined && etag !== undefined && status < 300 && action !== 'begin') etags.set(by, etag)
    if (by !== undefined && action === 'get' && status === 200)
      types.set(by, answered.headers['content-type']?.[0] ?? '')
    played.push({ ...exchange, isAgreed: true })
  }
  return { played, etags, types, ids, unchecked, careful }
}

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

/** What a request comes to that was done. */
export const DONE: readonly FileOutcome[] = ['done', 'replaced', 'copied']

function areAgreed({ status }: Recorded, { outcome }: FileResult, action: string): boolean {
  if (DONE.includes(outcome))
    return status < 400 || (status === 412 && action !== 'list') || (status === 416 && action === 'get')
  // To delete what is not there may be fine.
  return status >= 400 || (outcome === 'missing' && /^(delete|abort)$/.test(action))
}

/** What the server made of a request; `undefined` where the files explain it otherwise. */
export function outcomeOf({
  recorded: { status },
  result: { outcome },
  rule,
  isAgreed,
}: Played): FileOutcome | undefined {
  if (!isAgreed) return undefined
  if (!DONE.includes(outcome)) return outcome
  if (status === 412) return 'precondition'
  if (status === 416) return 'range'
  return rule.options.action === 'get' && status !== 200 ? undefined : outcome
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
