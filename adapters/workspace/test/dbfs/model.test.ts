import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

/** DBFS as one would explain it: paths, and what lies there. A directory is `undefined`. */
type Model = Map<string, Buffer | undefined>
type Real = WorkspaceMockContext

interface Call {
  readonly method: 'GET' | 'POST'
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1, -1)
    .map((_, index, segments) => `/${segments.slice(0, index + 1).join('/')}`)
const isBelow = (path: string, top: string): boolean => path.startsWith(top === '/' ? '/' : `${top}/`)
const isFile = (model: Model, path: string): boolean => model.get(path) !== undefined
const exists = (model: Model, path: string): boolean => path === '/' || model.has(path)
const childrenOf = (model: Model, path: string): string[] =>
  [...model.keys()]
    .filter((each) => isBelow(each, path) && !each.slice(path.length + 1).includes('/'))
    .filter((each) => each !== path)
    .toSorted()

function makeParents(model: Model, path: string): void {
  for (const parent of parentsOf(path)) if (!model.has(parent)) model.set(parent, undefined)
}

function write(model: Model, path: string, bytes: Buffer, overwrite: boolean): unknown {
  const isInTheWay = parentsOf(path).some((parent) => isFile(model, parent))
  if (isInTheWay || (exists(model, path) && !(overwrite && isFile(model, path))))
    return 'RESOURCE_ALREADY_EXISTS'
  makeParents(model, path)
  model.set(path, bytes)
  return {}
}

const statusOf = (model: Model, path: string): object => ({
  path,
  is_dir: !isFile(model, path),
  file_size: model.get(path)?.length ?? 0,
})

const rules: Record<string, (model: Model, input: never) => unknown> = {
  put: (model, { path, contents, overwrite }: { path: string; contents: string; overwrite: boolean }) =>
    write(model, path, Buffer.from(contents, 'base64'), overwrite),
  mkdirs(model, { path }: { path: string }) {
    if ([...parentsOf(path), path].some((each) => isFile(model, each))) return 'RESOURCE_ALREADY_EXISTS'
    makeParents(model, `${path}/x`)
    return {}
  },
  delete(model, { path, recursive }: { path: string; recursive: boolean }) {
    if (!recursive && childrenOf(model, path).length > 0) return 'IO_ERROR'
    for (const each of [...model.keys()]) if (each === path || isBelow(each, path)) model.delete(each)
    return {}
  },
  move(
    model,
    { source_path: from, destination_path: to }: { source_path: string; destination_path: string },
  ) {
    if (!model.has(from)) return 'RESOURCE_DOES_NOT_EXIST'
    if (isBelow(to, from)) return 'INVALID_PARAMETER_VALUE'
    if (exists(model, to) || parentsOf(to).some((parent) => isFile(model, parent)))
      return 'RESOURCE_ALREADY_EXISTS'
    makeParents(model, to)
    for (const [path, bytes] of [...model])
      if (path === from || isBelow(path, from)) {
        model.delete(path)
        model.set(to + path.slice(from.length), bytes)
      }
    return {}
  },
  'get-status': (model, { path }: { path: string }) =>
    exists(model, path) ? statusOf(model, path) : 'RESOURCE_DOES_NOT_EXIST',
  list(model, { path }: { path: string }) {
    if (!exists(model, path)) return 'RESOURCE_DOES_NOT_EXIST'
    const files = (isFile(model, path) ? [path] : childrenOf(model, path)).map((each) =>
      statusOf(model, each),
    )
    return files.length === 0 ? {} : { files }
  },
  read(model, { path, offset, length }: { path: string; offset: number; length: number }) {
    if (!exists(model, path)) return 'RESOURCE_DOES_NOT_EXIST'
    const bytes = model.get(path)
    if (bytes === undefined) return 'INVALID_PARAMETER_VALUE'
    const part = bytes.subarray(offset, offset + length)
    return { bytes_read: part.length, data: part.toString('base64') }
  },
}

class CallCommand implements fc.AsyncCommand<Model, Real> {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    const { method, name, input } = this.#call
    const expected = rules[name]?.(model, input as never)
    const query =
      method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
    const answer = await ask(
      real,
      method,
      `/api/2.0/dbfs/${name}${query}`,
      method === 'GET' ? undefined : input,
    )
    assert.deepEqual(outcomeOf(answer.body), expected, this.toString())
  }

  toString(): string {
    return `${this.#call.name}(${JSON.stringify(this.#call.input)})`
  }
}

/** Streams are written through to the model block by block. */
class WriteByHandle implements fc.AsyncCommand<Model, Real> {
  readonly #path: string
  readonly #blocks: readonly Uint8Array[]

  constructor(path: string, blocks: readonly Uint8Array[]) {
    this.#path = path
    this.#blocks = blocks
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    const expected = write(model, this.#path, Buffer.concat(this.#blocks), true)
    const opened = await ask(real, 'POST', '/api/2.0/dbfs/create', { path: this.#path, overwrite: true })
    const { handle } = opened.body as { handle?: number }
    if (typeof expected === 'string') assert.equal(outcomeOf(opened.body), expected)
    if (handle === undefined) return
    for (const block of this.#blocks) {
      const data = Buffer.from(block).toString('base64')
      assert.equal((await ask(real, 'POST', '/api/2.0/dbfs/add-block', { handle, data })).status, 200)
    }
    assert.equal((await ask(real, 'POST', '/api/2.0/dbfs/close', { handle })).status, 200)
  }

  toString(): string {
    return `writeByHandle(${this.#path}, ${this.#blocks.length} blocks)`
  }
}

/** What was saved and taken back is what was there. */
class SaveAndRestore implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true
  }

  async run(_model: Model, real: Real): Promise<void> {
    const snapshot = JSON.parse(JSON.stringify(real.adapter.snapshot())) as never
    real.adapter.reset()
    real.adapter.restore(snapshot)
    await Promise.resolve()
  }

  toString(): string {
    return 'saveAndRestore()'
  }
}

/** The code of an error, or a body without its times. */
function outcomeOf(body: Readonly<Record<string, unknown>>): unknown {
  if (body['error_code'] !== undefined) return body['error_code']
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'modification_time' ? undefined : value,
  )
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`)
const bytes = fc.uint8Array({ maxLength: 12 })
const call = (method: Call['method'], name: string, input: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(input).map((input) => new CallCommand({ method, name, input }))

const commands = [
  call('POST', 'put', {
    path,
    contents: bytes.map((each) => Buffer.from(each).toString('base64')),
    overwrite: fc.boolean(),
  }),
  call('POST', 'mkdirs', { path }),
  call('POST', 'delete', { path, recursive: fc.boolean() }),
  call('POST', 'move', { source_path: path, destination_path: path }),
  call('GET', 'get-status', { path }),
  call('GET', 'list', { path: fc.oneof(path, fc.constant('/')) }),
  call('GET', 'read', { path, offset: fc.nat(14), length: fc.nat(14) }),
  fc.tuple(path, fc.array(bytes, { maxLength: 3 })).map(([at, blocks]) => new WriteByHandle(at, blocks)),
  fc.constant(new SaveAndRestore()),
]

describe('DBFS against a reference model', () => {
  it.for([{ temporaryDirectory: false }, { temporaryDirectory: true }])(
    'answers as the model says, whatever the calls',
    async (fileStorage) => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (calls) => {
          using real = new WorkspaceMockContext({ fixture: { version: 1, fileStorage } })
          await fc.asyncModelRun(() => ({ model: new Map<string, Buffer | undefined>(), real }), calls)
        }),
        { numRuns: 30 },
      )
    },
  )
})
