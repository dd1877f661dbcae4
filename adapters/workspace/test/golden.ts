import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { WorkspaceMockContext } from '../src/mock.ts'

/** One request of a contract: of an operation, whose method and path it takes. */
export interface Step {
  /** What it shows, where that is not plain. */
  readonly note?: string
  readonly operation: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A step, or one that needs the bodies answered so far. */
export type GivenStep = Step | ((answers: readonly unknown[]) => Step)

/**
 * Asks the requests of a family in turn and compares all answers with `test/golden/<name>.json`; UPDATE_GOLDEN=1 writes
 * it. Fails when an operation of the family is requested by no step.
 */
export async function expectGolden(name: string, families: readonly string[], steps: readonly GivenStep[]) {
  using mock = new WorkspaceMockContext()
  const answers: unknown[] = []
  const exchanges: unknown[] = []
  const requested = new Set<string>()
  for (const given of steps) {
    const step = typeof given === 'function' ? given(answers) : given
    const { request, response } = await askStep(mock, step)
    requested.add(step.operation)
    answers.push(response.body)
    exchanges.push({ operation: step.operation, ...(step.note && { note: step.note }), request, response })
  }
  const known = adapter.operations.filter(
    ({ family, handle }) => families.includes(family) && handle !== undefined,
  )
  expect(known.map(({ id }) => id).filter((id) => !requested.has(id))).toEqual([])
  await compare(name, exchanges)
}

async function askStep(mock: WorkspaceMockContext, step: Step) {
  const operation = adapter.operations.find(({ id }) => id === step.operation)
  if (!operation) throw new Error(`there is no operation ${step.operation}`)
  const path = operation.path.replaceAll(/\{(\w+)\*?\}/g, (_, key: string) =>
    encodeURIComponent(step.params?.[key] ?? ''),
  )
  const query = new URLSearchParams(step.query).toString()
  const url = query ? `${path}?${query}` : path
  const response = await mock.fetch(url, {
    method: operation.method,
    ...(step.body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(step.body),
    }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    request: { method: operation.method, url, ...(step.body !== undefined && { body: step.body }) },
    response: { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text },
  }
}

async function compare(name: string, exchanges: unknown): Promise<void> {
  const file = join(import.meta.dirname, 'golden', `${name}.json`)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true })
    const text = JSON.stringify(exchanges, null, 2)
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }))
  }
  if (!existsSync(file)) throw new Error(`${file} is missing: UPDATE_GOLDEN=1 writes it`)
  expect(exchanges).toEqual(JSON.parse(readFileSync(file, 'utf8')))
}
