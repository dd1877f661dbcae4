import { createChecker } from '../../src/engine/schema/checker.ts'
import { hintAt } from '../../src/data-files/words.ts'
import { isObject, type Schema } from '../../src/engine/schema/schema.ts'
import { ChaosInvalid } from '../../src/errors.ts'
import { PRESETS } from './presets.ts'
import type { ChaosOptions, ChaosRule, LatencyShape, Range, RouteChaos } from '../../src/engine/chaos-rule.ts'
import { FAULTS } from '../faults/index.ts'
import { CHAOS_SCHEMA, LATENCY_FIELDS, ROUTE_CHAOS_SCHEMA, snakeCase } from './chaos-schema.ts'

/** Something wrong with a description of chaos. */
export interface ChaosProblem {
  /** Keys and indexes that lead to it. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

const checker = createChecker(CHAOS_SCHEMA)
const routeChecker = createChecker(ROUTE_CHAOS_SCHEMA)

/** What is wrong with chaos as it is written in files and on the control plane; empty when nothing is. */
export function findChaosProblems(data: unknown): readonly ChaosProblem[] {
  const violations = checker.check(data)
  if (violations.length > 0) return violations.map((each) => withHint(CHAOS_SCHEMA, each))
  const { preset, rules = [] } = fromData(data) as ChaosOptions
  const unknown = preset !== undefined && !Object.hasOwn(PRESETS, preset)
  const problems = rules.flatMap((rule, index) =>
    contradictionsOf(rule).map(({ path, message }) => ({ path: ['rules', index, ...path], message })),
  )
  const known = Object.keys(PRESETS).join(', ')
  return unknown
    ? [{ path: ['preset'], message: `'${preset}' is not a preset. Presets: ${known}` }, ...problems]
    : problems
}

/** What is wrong with the chaos of one route as it is written in files; empty when nothing is. */
export function findRouteChaosProblems(data: unknown): readonly ChaosProblem[] {
  const violations = routeChecker.check(data)
  if (violations.length > 0) return violations.map((each) => withHint(ROUTE_CHAOS_SCHEMA, each))
  return contradictionsOf(readRouteChaos(data))
}

// A field that is not known is named with the nearest that is.
function withHint(schema: Schema, { path, message }: ChaosProblem): ChaosProblem {
  if (message !== 'Unknown field') return { path, message }
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (isObject(at) ? partOf(at, key) : undefined), schema)
  const known = isObject(holder) && isObject(holder['properties']) ? Object.keys(holder['properties']) : []
  return { path, message: known.length === 0 ? message : `${message}. ${hintAt(String(path.at(-1)), known)}` }
}

function partOf(schema: Schema, key: string | number): unknown {
  if (typeof key === 'number') return schema['items']
  return isObject(schema['properties']) ? schema['properties'][key] : undefined
}

/** The chaos of one route as it is written in files, which was checked. */
export function readRouteChaos(data: unknown): RouteChaos {
  return fromData(data) as RouteChaos
}

/** Chaos as it is written in files. @throws ChaosInvalid naming everything that is wrong with it */
export function readChaos(data: unknown): ChaosOptions {
  const problems = findChaosProblems(data)
  if (problems.length > 0) throw new ChaosInvalid(problems)
  return fromData(data) as ChaosOptions
}

/** The rules of a gateway's chaos, the preset's last. @throws ChaosInvalid naming everything that is wrong with it */
export function rulesOf(options: ChaosOptions): readonly ChaosRule[] {
  const data = toData(options)
  // Most gateways have none, and would load and compile what checks it.
  if (isNone(data)) return []
  const { preset, rules = [] } = readChaos(data)
  return [...rules, ...(preset === undefined ? [] : (PRESETS[preset] ?? []))]
}

function isNone(data: unknown): boolean {
  return isObject(data) && Object.entries(data).every(([key, value]) => key === 'rules' && isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Chaos as files have it, with their names of keys. */
export function toData(value: unknown): unknown {
  return renamed(value, new Map(KEYS.map(([file, own]) => [own, file])))
}

const KEYS = ['rateLimit', 'perSeconds', ...FAULTS.flatMap(({ options = {} }) => Object.keys(options))].map(
  (own): [file: string, own: string] => [snakeCase(own), own],
)

function fromData(value: unknown): unknown {
  return renamed(value, new Map(KEYS))
}

/** What is within them may have any name. */
const OTHERS: ReadonlySet<string> = new Set(['headers', 'answers'])

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, names))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.map(([key, each]) => [names.get(key) ?? key, OTHERS.has(key) ? each : renamed(each, names)]),
  )
}

function contradictionsOf(rule: RouteChaos): readonly ChaosProblem[] {
  const { requests = {}, seconds = {}, latency, errors, faults = {} } = rule
  const rates = Object.values(faults).map((shape) => (typeof shape === 'number' ? shape : shape.rate))
  const sum = rates.reduce((total, rate) => total + rate, errors?.rate ?? 0)
  const problems: ChaosProblem[] = []
  const check = (isGood: boolean, path: readonly string[], message: string): void => {
    if (!isGood) problems.push({ path, message })
  }
  check(isOrdered(requests), ['requests'], `'from' must not be greater than 'to'`)
  check(isOrdered(seconds), ['seconds'], `'from' must not be greater than 'to'`)
  check(sum <= 1 + 1e-9, [], `the rates of errors and faults add up to ${sum}, and must not exceed 1`)
  const { codes, answers = {} } = errors ?? {}
  const statuses = Array.isArray(codes) ? codes.map(String) : Object.keys(codes ?? { 500: 1 })
  for (const status of Object.keys(answers))
    check(statuses.includes(status), ['errors', 'answers', status], `${status} is none of the codes`)
  return [
    ...problems,
    ...latencyProblems(latency, ['latency']),
    ...latencyProblems(errors?.latency, ['errors', 'latency']),
  ]
}

function latencyProblems(
  latency: LatencyShape | undefined,
  path: readonly string[],
): readonly ChaosProblem[] {
  if (latency === undefined || typeof latency === 'number') return []
  const { distribution, rate: _rate, body: _body, ...given } = latency
  const wanted = LATENCY_FIELDS[distribution]
  const names = Object.keys(given)
  if (names.length !== wanted.length || !wanted.every((name) => names.includes(name)))
    return [{ path, message: `${distribution} takes ${wanted.join(' and ')}, in milliseconds` }]
  if (distribution === 'percentiles' && !areOrdered(latency.percentiles))
    return [{ path: [...path, 'percentiles'], message: 'a percentile must not be less than a lower one' }]
  if (distribution === 'lognormal' && !(latency.p50 > 0 && latency.p50 <= latency.p99))
    return [{ path, message: 'p50 must be more than 0, and not more than p99' }]
  if (distribution === 'uniform' && latency.min > latency.max)
    return [{ path, message: 'min must not be more than max' }]
  return []
}

function areOrdered(percentiles: Readonly<Record<string, number>>): boolean {
  const points = Object.entries(percentiles).toSorted(([a], [b]) => Number(a) - Number(b))
  return points.every(([, ms], index) => ms >= (points[index - 1]?.[1] ?? 0))
}

function isOrdered({ from = -Infinity, to = Infinity }: Range): boolean {
  return from <= to
}
