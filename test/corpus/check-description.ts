import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import type { loadApi } from '../../src/loaders/load-target.ts'
import { createAsking, forAll, type Asking } from './ask.ts'
import { createFaultOf } from './fault-of.ts'
import { findProblem, type Judges, type Problem, type Wanted } from './judge.ts'
import { at, isJson, type Json } from './json.ts'
import { operationsOf, type Operation } from './operations.ts'
import { createRequests, type Request } from './request.ts'
import { createSchemas } from './schemas.ts'
import { createSecondValidate, createValidate, FAULTS } from './validator.ts'

/** What became of one description. */
export interface Report {
  readonly file: string
  /** What keeps it from being served at all. */
  readonly refused?: string
  readonly loadMs: number
  readonly operations: number
  /** Operations that no request can be for, each with what the description gets wrong. */
  readonly unasked: Readonly<Record<string, string>>
  /** Answers that were judged. */
  readonly answers: number
  readonly wrong: readonly Wrong[]
}

/** An answer that is not as the description has it. */
export interface Wrong extends Problem {
  readonly operation: string
  readonly rule: string
}

/** How much of a description is requested. */
export interface Extent {
  /** The most operations, spread over the description; all where there are fewer. */
  readonly operations: number
}

// What is measured and judged is what users get.
const DIST = resolve(import.meta.dirname, '../../dist/src/loaders/load-target.js')

/** Serves a description, asks for each response of each operation, and judges the answers. */
export async function checkDescription(file: string, extent: Extent): Promise<Report> {
  const load = ((await import(DIST)) as { loadApi: typeof loadApi }).loadApi
  const began = performance.now()
  let loaded: Awaited<ReturnType<typeof loadApi>>
  try {
    loaded = await load(file, 'simulated', undefined, { options: { seed: 1 } })
  } catch (error) {
    const refused = (error as Error).message
    return {
      file,
      refused,
      loadMs: performance.now() - began,
      operations: 0,
      unasked: {},
      answers: 0,
      wrong: [],
    }
  }
  const loadMs = performance.now() - began
  const document = read(file)
  const all = operationsOf(document)
  const unasked = unservedOf(document, loaded.problems)
  const served = all.filter(({ name }) => !(name in unasked))
  const step = Math.max(1, served.length / extent.operations)
  const operations = Array.from(
    { length: Math.min(served.length, extent.operations) },
    (_, index) => served[Math.floor(index * step)] as Operation,
  )
  const app = loaded.api.asWebApp()
  const asking = createAsking(await app.listen({ port: 0, host: '127.0.0.1' }))
  try {
    const found = await askAll(document, operations, asking)
    return {
      file,
      loadMs,
      operations: operations.length,
      unasked: { ...unasked, ...found.unasked },
      answers: found.answers,
      wrong: found.wrong,
    }
  } finally {
    await asking.close()
    await app.close()
  }
}

function read(file: string): Json {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  return (/^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true })) as Json
}

// What the server itself says that it does not serve, by `METHOD /path`.
function unservedOf(document: Json, problems: readonly string[]): Record<string, string> {
  const found = problems.flatMap((line): [string, string][] => {
    const [, path, method, message = ''] = /: #\/paths\/([^/ ]+)(?:\/([a-z]+))?: (.*)$/.exec(line) ?? []
    if (path === undefined || !UNSERVED.test(message)) return []
    const key = decodeURIComponent(path).replaceAll('~1', '/').replaceAll('~0', '~')
    const why = (UNSERVED.exec(message) as RegExpExecArray)[0]
    if (method !== undefined) return [[`${method.toUpperCase()} ${key}`, why]]
    const item = at(document, `#/paths/${path}`)
    return Object.keys(isJson(item) ? item : {}).map((each): [string, string] => [
      `${each.toUpperCase()} ${key}`,
      why,
    ])
  })
  return Object.fromEntries(found)
}

const UNSERVED = /answers the same requests as another path|nothing says what a request has|is not served/

async function askAll(
  document: Json,
  operations: readonly Operation[],
  asking: Asking,
): Promise<Pick<Report, 'unasked' | 'answers' | 'wrong'>> {
  const requestOf = createRequests(createSchemas(document, 'request'))
  const schemas = createSchemas(document, 'response')
  const judges: Judges = {
    ajv: createValidate(schemas),
    cfworker: createSecondValidate(createSchemas(document, 'response')),
  }
  const faultOf = createFaultOf(document)
  const unasked: Record<string, string> = {}
  const wrong: Wrong[] = []
  let answers = 0

  const askFor = async (
    operation: Operation,
    wanted: Wanted,
    request: Request,
    prefer?: string,
  ): Promise<void> => {
    answers++
    const problem = await asking
      .ask(request, prefer === undefined ? {} : { prefer })
      .then((answer) => findProblem(operation, wanted, answer, judges))
      .catch((error: Error) => ({
        cause: `fails: ${error.message.slice(0, 100)}`,
        detail: error.stack ?? '',
      }))
    if (problem === undefined) return
    const fault = FAULTS.some((each) => problem.detail.endsWith(each))
      ? undefined
      : faultOf(operation, wanted, request)
    const detail = fault === undefined ? problem.detail : `${problem.detail}: ${fault}`
    wrong.push({ operation: operation.name, rule: wanted.rule, ...problem, detail })
  }
  await forAll(operations, async (operation) => {
    let requests: readonly [Request, Request]
    try {
      requests = [requestOf(operation, 'required'), requestOf(operation, 'everything')]
    } catch (error) {
      unasked[operation.name] = (error as Error).message
      return
    }
    const [least, most] = requests
    const usual = usualOf(operation)
    if (usual !== undefined) {
      await askFor(operation, usual, least)
      await askFor(operation, usual, most)
    }
    for (const wanted of wantedOf(operation)) {
      await askFor(operation, wanted, most, `code=${wanted.status}`)
      await askFor(operation, wanted, least, `code=${wanted.status}, dynamic=true`)
    }
  })
  return { unasked, answers, wrong }
}

function wantedOf({ responses }: Operation): Wanted[] {
  const statuses = new Set([...responses.keys()].map((rule) => rule.toUpperCase()))
  return [...responses.keys()].flatMap((rule): Wanted[] => {
    const isClass = /^[2-5]xx$/i.test(rule)
    if (!isClass && rule !== 'default') return Number(rule) >= 200 ? [{ rule, status: Number(rule) }] : []
    const hundreds = isClass ? [Number(rule[0])] : [5, 4, 2].filter((each) => !statuses.has(`${each}XX`))
    const free = hundreds.flatMap((each) =>
      [0, 10, 20, 30, 99].map((rest) => each * 100 + rest).filter((status) => !statuses.has(String(status))),
    )[0]
    return free === undefined ? [] : [{ rule, status: free }]
  })
}

// What an operation answers where nothing is preferred; `undefined` where it declares nothing.
function usualOf({ responses }: Operation): Wanted | undefined {
  const rules = [...responses.keys()].filter((rule) => !rule.startsWith('1'))
  const lowest = (digit: string): string | undefined =>
    rules.filter((rule) => /^\d+$/.test(rule) && rule.startsWith(digit)).toSorted()[0]
  const ranged = (digit: string): string | undefined =>
    rules.find((rule) => rule.toUpperCase() === `${digit}XX`)
  const rule =
    lowest('2') ??
    ranged('2') ??
    lowest('3') ??
    ranged('3') ??
    rules.find((each) => each === 'default') ??
    rules[0]
  if (rule === undefined) return undefined
  return { rule, status: rule === 'default' ? 200 : /xx$/i.test(rule) ? Number(rule[0]) * 100 : Number(rule) }
}
