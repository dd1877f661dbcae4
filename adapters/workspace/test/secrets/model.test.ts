import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

interface ModelScope {
  readonly keys: Map<string, string>
  readonly acls: Map<string, string>
}
/** Scopes, their keys and values, and who may use them. */
type Model = Map<string, ModelScope>
type Input = Readonly<Record<string, string>>

const MISSING = 'RESOURCE_DOES_NOT_EXIST'

const rules: Readonly<Record<string, (model: Model, input: Input) => unknown>> = {
  'scopes/create'(model, { scope = '' }) {
    if (model.has(scope)) return 'RESOURCE_ALREADY_EXISTS'
    model.set(scope, { keys: new Map(), acls: new Map([['ada@example.com', 'MANAGE']]) })
    return {}
  },
  'scopes/delete': (model, { scope = '' }) => (model.delete(scope) ? {} : MISSING),
  'scopes/list': (model) =>
    listOf(
      'scopes',
      [...model.keys()].map((name) => ({ name, backend_type: 'DATABRICKS' })),
    ),
  put(model, { scope = '', key = '', string_value = '' }) {
    const found = model.get(scope)
    found?.keys.set(key, string_value)
    return found ? {} : MISSING
  },
  delete: (model, { scope = '', key = '' }) => (model.get(scope)?.keys.delete(key) === true ? {} : MISSING),
  list(model, { scope = '' }) {
    const found = model.get(scope)
    return found
      ? listOf(
          'secrets',
          [...found.keys.keys()].map((key) => ({ key })),
        )
      : MISSING
  },
  get: (model, { scope = '', key = '' }) =>
    model.get(scope)?.keys.has(key) === true ? 'BAD_REQUEST' : MISSING,
  'acls/put'(model, { scope = '', principal = '', permission = '' }) {
    const found = model.get(scope)
    found?.acls.set(principal, permission)
    return found ? {} : MISSING
  },
  'acls/delete': (model, { scope = '', principal = '' }) =>
    model.get(scope)?.acls.delete(principal) === true ? {} : MISSING,
  'acls/get'(model, { scope = '', principal = '' }) {
    const permission = model.get(scope)?.acls.get(principal)
    return permission === undefined ? MISSING : { principal, permission }
  },
  'acls/list'(model, { scope = '' }) {
    const found = model.get(scope)
    if (found === undefined) return MISSING
    return listOf(
      'items',
      [...found.acls].map(([principal, permission]) => ({ principal, permission })),
    )
  },
}

function listOf(name: string, items: readonly object[]): object {
  return items.length === 0 ? {} : { [name]: items }
}

class CallCommand implements fc.AsyncCommand<Model, WorkspaceMockContext> {
  readonly #name: string
  readonly #input: Input

  constructor(name: string, input: Input) {
    this.#name = name
    this.#input = input
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: WorkspaceMockContext): Promise<void> {
    const expected = rules[this.#name]?.(model, this.#input)
    const isRead = /list$|get$/.test(this.#name)
    const query = isRead ? `?${new URLSearchParams(this.#input).toString()}` : ''
    const path = `/api/2.0/secrets/${this.#name}${query}`
    const { body } = await ask(real, isRead ? 'GET' : 'POST', path, isRead ? undefined : this.#input)
    assert.deepEqual(outcomeOf(body), expected, this.toString())
    for (const [scope, { keys }] of model)
      for (const [key, value] of keys) assert(real.state.secrets.holds(scope, key, value), this.toString())
  }

  toString(): string {
    return `${this.#name}(${JSON.stringify(this.#input)})`
  }
}

/** The code of an error, or a body without its times. */
function outcomeOf(body: Readonly<Record<string, unknown>>): unknown {
  if (body['error_code'] !== undefined) return body['error_code']
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key.endsWith('timestamp') ? undefined : value,
  )
}

const scope = fc.constantFrom('a', 'b')
const key = fc.constantFrom('k', 'l', '__proto__')
const principal = fc.constantFrom('ada@example.com', 'users', 'constructor')
const inputs: Readonly<Record<string, Record<string, fc.Arbitrary<string>>>> = {
  'scopes/create': { scope },
  'scopes/delete': { scope },
  'scopes/list': {},
  put: { scope, key, string_value: fc.string({ maxLength: 8 }) },
  delete: { scope, key },
  list: { scope },
  get: { scope, key },
  'acls/put': { scope, principal, permission: fc.constantFrom('READ', 'WRITE', 'MANAGE') },
  'acls/delete': { scope, principal },
  'acls/get': { scope, principal },
  'acls/list': { scope },
}
const commands = Object.entries(inputs).map(([name, input]) =>
  fc.record(input).map((each) => new CallCommand(name, each)),
)

describe('secrets against a reference model', () => {
  it('answers as the model says, whatever the calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (calls) => {
        const fixture = { version: 1, users: [{ userName: 'ada@example.com' }] }
        using real = new WorkspaceMockContext({ fixture })
        await fc.asyncModelRun(() => ({ model: new Map<string, ModelScope>(), real }), calls)
      }),
      { numRuns: 40 },
    )
  })
})
