import type { FileAction, FileAnswer, FileOptions, FileOutcome } from '../../engine/file-option.ts'
import type { RouteOptions } from '../../engine/route-options.ts'

/** Answers by what a request comes to. */
export type FileAnswers = Readonly<Partial<Record<FileOutcome, FileAnswer>>>

/** The answers of a route: those that its options name, and the usual ones for the rest. */
export function answersOf(
  { action, outcomes = {}, tree }: FileOptions,
  { status, headers }: Pick<RouteOptions<unknown>, 'status' | 'headers'>,
): FileAnswers {
  const usual = { ...USUAL[action], ...(status !== undefined && { status }) }
  const done = outcomes.done ?? { ...usual, headers: { ...usual.headers, ...headers } }
  const isWrite = /^(put|copy|move)$/.test(action)
  const replaced = isWrite && status === undefined ? { ...done, status: 204 } : done
  return {
    ...REFUSED,
    ...((tree !== undefined || TREE_ACTION.test(action)) && refusedInTree(action)),
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
const MULTI_STATUS: FileAnswer = { status: 207, type: 'application/xml; charset=utf-8' }
const LOCKED =
  '<prop xmlns="DAV:"><lockdiscovery><activelock><locktype><write/></locktype><lockscope><exclusive/></lockscope>' +
  '<locktoken><href>{lock}</href></locktoken></activelock></lockdiscovery></prop>'
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
  make: { status: 201 },
  copy: { status: 201 },
  move: { status: 201 },
  properties: MULTI_STATUS,
  change: MULTI_STATUS,
  report: MULTI_STATUS,
  lock: {
    headers: { 'lock-token': '<{lock}>' },
    type: 'application/xml; charset=utf-8',
    text: LOCKED,
  },
  unlock: { status: 204 },
}

const UNKNOWN_TOKEN: FileAnswer = {
  ...{ status: 403, type: 'application/xml; charset=utf-8' },
  text: '<error xmlns="DAV:"><valid-sync-token/></error>',
}

/** Those of trees (RFC 4918, section 9; RFC 6578, section 3.2). */
function refusedInTree(action: FileAction): FileAnswers {
  return {
    orphan: { status: 409 },
    folder: { status: 405 },
    exists: { status: action === 'make' ? 405 : 412 },
    slash: { status: 301, headers: { location: '{href}/' } },
    locked: { status: 423 },
    unsupported: { status: 400 },
    ...(action === 'report' && { mismatch: UNKNOWN_TOKEN }),
  }
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

function mayCome(
  outcome: string,
  { action, outcomes = {}, verify, empty, needs, tree }: FileOptions,
): boolean {
  if (outcome === 'done' || Object.hasOwn(outcomes, outcome)) return true
  if (outcome === 'replaced') return /^(put|copy|move)$/.test(action)
  if (outcome === 'orphan') return needs !== undefined || (tree !== undefined && MAKING.test(action))
  if (outcome === 'folder') return tree !== undefined && /^(put|get)$/.test(action)
  if (outcome === 'exists') return /^(make|copy|move)$/.test(action)
  if (outcome === 'slash') return tree?.slash === true
  if (outcome === 'locked') return tree?.locks === true
  if (outcome === 'mismatch' && (action === 'report' || tree?.checks === true)) return true
  if (/^(mismatch|unacceptable|malformed)$/.test(outcome))
    return verify?.some((check) => (check.outcome ?? 'mismatch') === outcome) === true
  if (outcome === 'full') return empty !== undefined
  return action === 'get' || (action === 'put' && outcome === 'precondition')
}

const MAKING = /^(put|make|copy|move)$/
const TREE_ACTION = /^(make|copy|move|properties|change|report|lock|unlock)$/
