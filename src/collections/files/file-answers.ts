import type { FileAction, FileAnswer, FileOptions, FileOutcome } from '../../engine/file-option.ts'
import type { RouteOptions } from '../../engine/route-options.ts'

/** Answers by what a request comes to. */
export type FileAnswers = Readonly<Partial<Record<FileOutcome, FileAnswer>>>

/** The answers of a route: those that its options name, and the usual ones for the rest. */
export function answersOf(
  { action, outcomes = {} }: FileOptions,
  { status, headers }: Pick<RouteOptions<unknown>, 'status' | 'headers'>,
): FileAnswers {
  const usual = { ...USUAL[action], ...(status !== undefined && { status }) }
  const done = outcomes.done ?? { ...usual, headers: { ...usual.headers, ...headers } }
  const replaced = action === 'put' && status === undefined ? { ...done, status: 204 } : done
  return {
    ...REFUSED,
    ...outcomes,
    done,
    replaced: outcomes.replaced ?? (outcomes.done === undefined ? replaced : done),
  }
}

const JSON_LIST: FileAnswer = {
  type: 'application/json',
  text: '[{items}]',
  each: {
    items: {
      of: 'files',
      text: '{"name":"{key}","size":{size},"type":"{type}","modified":"{modified.iso}"}',
      separator: ',',
    },
  },
}
const OFFSET = { 'upload-offset': '{size}' }

const USUAL: Readonly<Record<FileAction, FileAnswer>> = {
  put: { status: 201, headers: { etag: '{etag}' } },
  get: {
    headers: { etag: '{etag}', 'last-modified': '{modified.http}', 'accept-ranges': 'bytes' },
  },
  delete: { status: 204 },
  list: JSON_LIST,
  begin: { status: 201, headers: { location: '{path}/{upload}' } },
  append: { status: 204, headers: OFFSET },
  part: { headers: { etag: '"{md5}"' } },
  status: { headers: OFFSET },
  parts: JSON_LIST,
  complete: { status: 201, headers: { etag: '{etag}' } },
  abort: { status: 204 },
}

const REFUSED: FileAnswers = {
  full: { status: 409, type: 'application/json', text: '{"detail":"Not empty"}' },
  mismatch: {
    status: 400,
    type: 'application/json',
    text: '{"detail":"The body is not the one that was announced"}',
  },
  unacceptable: { status: 406 },
  malformed: { status: 400 },
  precondition: { status: 412 },
  range: { status: 416 },
}

/** The statuses that a route of files may answer with. */
export function fileStatuses(
  options: FileOptions,
  route: Pick<RouteOptions<unknown>, 'status' | 'headers'>,
): readonly number[] {
  const { action } = options
  const answers = Object.entries(answersOf(options, route)).filter(([outcome]) => mayCome(outcome, options))
  const found = answers.map(([, { status = 200 }]) => status)
  return [...new Set([...found, ...(action === 'get' ? [206, 304] : []), ...(action === 'put' ? [] : [404])])]
}

function mayCome(outcome: string, { action, outcomes = {}, verify, empty }: FileOptions): boolean {
  if (outcome === 'done' || Object.hasOwn(outcomes, outcome)) return true
  if (outcome === 'replaced') return action === 'put'
  if (/^(mismatch|unacceptable|malformed)$/.test(outcome))
    return verify?.some((check) => (check.outcome ?? 'mismatch') === outcome) === true
  if (outcome === 'full') return empty !== undefined
  return action === 'get' || (action === 'put' && outcome === 'precondition')
}
