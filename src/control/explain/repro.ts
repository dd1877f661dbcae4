import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { RequestNotRebuilt } from '../../errors.ts'
import type { MemoryRequest } from '../../http/memory-transport.ts'
import type { Redactor } from '../../recording/redaction/redactor.ts'
import type { RecordedRequest } from '../../state/journal-record.ts'
import { pastOf } from '../../state/past.ts'
import type { StoreSnapshot } from '../../state/store.ts'
import { defineOperation, fields, type ControlRequest } from '../operation.ts'
import { compare, obstacleOf, pastSession, requestAgain, requestOf, withinTime } from './again.ts'
import { BY_ID } from './explain.ts'
import { readRepro, toBytes, toState, type Bytes, type ReproData } from './repro-data.ts'
import { readmeOf, SCRIPT } from './repro-files.ts'
import type { GatewaySource } from './source.ts'

const text = { type: 'string' }

/** What gives the same answer elsewhere. */
export const repro = defineOperation(
  'GET',
  '/requests/{id}/repro',
  {
    scope: { reads: ['journal'] },
    tag: 'requests',
    summary: 'A folder that gives the same answer elsewhere',
    description:
      'The files of the folder by their names, as texts or in base64. `sim repro` writes them. Values from requests ' +
      'and from the store are as recordings have them, without secrets; the files of the app are as they are.',
    input: BY_ID,
    output: fields({
      id: { type: 'integer' },
      files: {
        type: 'object',
        additionalProperties: { anyOf: [text, fields({ base64: text }, ['base64'])] },
      },
      notes: { type: 'array', items: text },
    }),
  },
  ({ id }, request) => foldersOf(...requestAgain(Number(id), request)),
)

async function foldersOf(record: RecordedRequest, request: ControlRequest): Promise<unknown> {
  const { id } = record
  const { source, session, rerun, engine } = request
  const obstacle = obstacleOf(record, request)
  if (obstacle !== undefined) throw new RequestNotRebuilt(id, obstacle)
  if (source === undefined)
    throw new RequestNotRebuilt(
      id,
      'the app was made in code. Serve it with sim run or sim proxy, so that its files are known',
    )
  const { redactor } = session
  const hidden = { count: 0 }
  const state = toState(pastOf(record, session))
  const { files, directory, targets } = appFiles(id, source)
  const head = redactedRequest(requestOf(record), redactor, hidden)
  if (record.sent !== undefined && head.body === undefined)
    throw new RequestNotRebuilt(
      id,
      'its body is not what its type says, and so cannot be looked into for secrets',
    )
  const isRefused = record.status === 401 || record.status === 403
  const draft: ReproData = {
    version: 1,
    sim: source.version,
    ...{ id, session: session.key },
    app: {
      ...{ directory, targets, joined: source.isJoined, gateway_seed: engine.seed },
      ...{ defaults: withoutTokens(source.defaults), cors: source.cors },
    },
    state: { ...state, ...(state.store && { store: redactedStore(state.store, redactor, hidden) }) },
    request: head,
    policies_left_out: isRefused ? [] : ['auth'],
    answer: { status: 0, body: { text: '' } },
  }
  // By what stands in the folder, and not by what the gateway knows besides.
  const { past, request: again, watch } = readRepro(JSON.parse(JSON.stringify(draft)) as ReproData)
  const response = await withinTime(id, rerun(again, pastSession(past, session), watch))
  const compared = compare(record, response)
  if (!compared.same && (hidden.count === 0 || response.status !== record.status))
    throw new RequestNotRebuilt(
      id,
      hidden.count === 0 ? compared.detail : `without its secrets ${compared.detail}`,
    )
  const data: ReproData = {
    ...draft,
    ...(!compared.same && { secrets_hidden: hidden.count }),
    answer: { status: response.status, body: toBytes(response.body) },
  }
  const notes = [
    compared.same
      ? `It gives what was sent: ${compared.detail}`
      : `It gives what is answered without the secrets of the request and the store (${hidden.count} hidden), and other bytes were sent with them: ${compared.detail}`,
  ]
  return {
    id,
    files: {
      'repro.json': `${JSON.stringify(data, null, 2)}\n`,
      'repro.mjs': SCRIPT,
      'README.md': readmeOf(data, notes),
      ...files,
    },
    notes,
  }
}

type Head = ReproData['request']

function redactedRequest(
  { body: own, remoteAddress, ...head }: MemoryRequest,
  redactor: Redactor,
  hidden: { count: number },
): Head {
  const note = (value: string, own: string): string => {
    if (value !== own) hidden.count++
    return value
  }
  const headers = Object.entries(head.headers ?? {}).map(([name, values]) => {
    const all = [values ?? []].flat().map((value) => note(redactor.header({ name, value }).value, value))
    return [name, all.length === 1 ? all[0] : all] as const
  })
  const type = String(head.headers?.['content-type'] ?? 'application/json')
  const sent = own === undefined ? undefined : toBytes(Buffer.from(own))
  const body = sent && redactedBody(sent, type, redactor, note)
  return {
    ...{
      method: head.method,
      scheme: head.scheme ?? 'http',
      host: head.host ?? '',
      prefix: head.prefix ?? '',
    },
    url: note(redactor.url(head.url), head.url),
    headers: withLength(Object.fromEntries(headers), body),
    ...(body !== undefined && { body }),
    ...(remoteAddress !== undefined && { remote_address: remoteAddress }),
  }
}

// Nothing, where it cannot be looked into.
function redactedBody(
  body: Bytes,
  type: string,
  redactor: Redactor,
  note: (value: string, own: string) => string,
): Bytes | undefined {
  if (!('text' in body) || body.text === '') return body
  const redacted = redactor.body(body.text, type)
  return 'text' in redacted ? { text: note(redacted.text, body.text) } : undefined
}

// A body of another length says so.
function withLength(headers: Head['headers'], body: Bytes | undefined): Head['headers'] {
  if (body === undefined || !('text' in body) || headers['content-length'] === undefined) return headers
  return { ...headers, 'content-length': String(Buffer.byteLength(body.text)) }
}

function redactedStore(
  { version: form, collections }: StoreSnapshot,
  redactor: Redactor,
  hidden: { count: number },
): StoreSnapshot {
  const own = JSON.stringify(collections)
  const redacted = redactor.body(own, 'application/json')
  if (!('text' in redacted) || redacted.text === own) return { version: form, collections }
  hidden.count++
  return { version: form, collections: JSON.parse(redacted.text) as StoreSnapshot['collections'] }
}

function withoutTokens({ bearerTokens, ...defaults }: GatewaySource['defaults']): GatewaySource['defaults'] {
  return bearerTokens === undefined ? defaults : { ...defaults, bearerTokens: ['left out'] }
}

const MAX_FILES_BYTES = 32 * 1024 * 1024

interface AppFiles {
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>
  readonly directory: string
  readonly targets: ReproData['app']['targets']
}

// The files of the app below what all of them are below, so that they find one another.
function appFiles(id: number, { apps, directory }: GatewaySource): AppFiles {
  const all = [...new Set(apps.flatMap((app) => app.files()))]
  const root = [...all, join(directory, 'x')].map((file) => dirname(file)).reduce(commonOf)
  const files: Record<string, string | { base64: string }> = {}
  let left = MAX_FILES_BYTES
  for (const file of all) {
    const bytes = readFileSync(file)
    left -= bytes.length
    if (left < 0)
      throw new RequestNotRebuilt(id, `the files of its app are more than ${MAX_FILES_BYTES} bytes`)
    const written = toBytes(bytes)
    files[below(root, file)] = 'text' in written ? written.text : written
  }
  const manifest = below(root, join(root, 'package.json'))
  files[manifest] ??= `${JSON.stringify({ private: true, type: moduleTypeOf(all[0] ?? root) })}\n`
  return {
    files,
    directory: relative(root, directory).split(sep).join('/'),
    targets: apps.map(({ target, options }) => {
      const [file, attribute] = splitAttribute(target)
      const path = relative(directory, resolve(directory, file)).split(sep).join('/')
      return { target: `${path}${attribute}`, options }
    }),
  }
}

function splitAttribute(target: string): readonly [file: string, attribute: string] {
  const colon = target.lastIndexOf(':')
  return colon > 1 ? [target.slice(0, colon), target.slice(colon)] : [target, '']
}

function commonOf(one: string, other: string): string {
  let common = one
  while (relative(common, other).startsWith('..')) common = dirname(common)
  return common
}

function below(root: string, file: string): string {
  return ['app', ...relative(root, file).split(sep)].join('/')
}

function moduleTypeOf(file: string): string {
  for (let directory = dirname(file); dirname(directory) !== directory; directory = dirname(directory)) {
    try {
      const { type = 'commonjs' } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
        type?: string
      }
      return type
    } catch {
      continue
    }
  }
  return 'commonjs'
}
