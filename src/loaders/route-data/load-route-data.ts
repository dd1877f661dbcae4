import { dirname, extname } from 'node:path'
import { SimAPI } from '../../api.ts'
import { readSeed, type SeedFixture } from '../../collections/seed.ts'
import { fileName, placeProblems, type Unplaced } from '../../data-files/data-file.ts'
import { readJson } from '../../data-files/json.ts'
import type { TextFile } from '../../data-files/text-file.ts'
import { hintAt, nearest, shown } from '../../data-files/words.ts'
import { readYaml } from '../../data-files/yaml.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { RouteFileInvalid } from '../../errors.ts'
import { readOptions } from '../../options/config-file.ts'
import { given, type DocumentOptions, type LoadedDocument } from '../target.ts'
import { readModels } from './models.ts'
import { isOfForm, placeBelow, type Check, type DataPlace, type Form } from './read-entries.ts'
import { readRoutes } from './read-routes.ts'

/** What a file of routes may hold at its top, besides pieces for anchors under names that begin with `x-`. */
export const TOP_KEYS = ['$schema', 'options', 'models', 'routes', 'store'] as const

/**
 * The app that a YAML or JSON file of routes declares. Nothing in it is evaluated.
 * @throws RouteFileInvalid with everything that is wrong with it
 */
export async function loadRouteData(
  { file, text: textOf }: TextFile,
  options: DocumentOptions,
): Promise<LoadedDocument> {
  const text = textOf()
  const source = extname(file).toLowerCase() === '.json' ? readJson(text) : readYaml(text)
  const found: Unplaced[] = []
  const api = new SimAPI(optionsOf(source.value, found, options))
  const place: DataPlace = {
    directory: dirname(file),
    answers: options.answers,
    report: (keys, message) => found.push({ keys, message: placed(keys, message) }),
  }
  const isGood = (): boolean => source.problems.length + found.length === 0
  if (isGood() || source.value !== undefined) readDocument(source.value, api, place, isGood)
  if (isGood()) {
    const count = api.routes.length
    return { api, document: `File of routes, ${count} route${count === 1 ? '' : 's'}`, problems: [] }
  }
  const problems = [...source.problems, ...placeProblems(source, found)]
  const inOrder = problems.toSorted((a, b) => a.line - b.line)
  throw new RouteFileInvalid(inOrder.map(({ line, message }) => `${fileName(file)}:${line}: ${message}`))
}

function optionsOf(
  document: unknown,
  problems: Unplaced[],
  { defaults, options: overrides = {} }: DocumentOptions,
): ConstructorParameters<typeof SimAPI>[0] {
  if (!isObject(document)) return {}
  const read = readOptions(document['options'] ?? {}, ['options'])
  problems.push(...read.problems.map(({ keys, message }) => ({ keys, message: `options: ${message}` })))
  return { ...defaults, ...read.options, ...given(overrides) }
}

function readDocument(document: unknown, api: SimAPI, place: DataPlace, isGood: () => boolean): void {
  if (!isObject(document) || !Object.hasOwn(document, 'routes')) place.report([], NO_ROUTES)
  if (!isObject(document)) return
  const isRouteFile = Object.hasOwn(document, 'routes')
  for (const key of Object.keys(document)) {
    if (isTopKey(key) || (!isRouteFile && nearest(key, TOP_KEYS) === undefined)) continue
    place.report([key], `unknown key. ${hintAt(key, TOP_KEYS)}`)
  }
  if (!isRouteFile) return
  const models = readModels(document['models'] ?? {}, placeBelow(place, 'models'))
  readRoutes(document['routes'] ?? {}, api, models, placeBelow(place, 'routes'))
  // Items can be checked against models only where these are good.
  if (document['store'] !== undefined && isGood())
    readStore(document['store'], api, placeBelow(place, 'store'))
}

function isTopKey(key: string): boolean {
  return key.startsWith('x-') || (TOP_KEYS as readonly string[]).includes(key)
}

// Of a route, its key says where it is; `routes` would say no more.
function placed(keys: readonly string[], message: string): string {
  const [first = '', route, ...rest] = keys
  const parts = first === 'routes' && route !== undefined ? [route, rest.join('.')] : [keys.join('.')]
  return [...parts.filter((part) => part !== ''), message].join(': ')
}

const NO_ROUTES =
  'neither a file of routes, which has routes: at its top, nor an OpenAPI or Swagger description, which has ' +
  'openapi: or swagger: there'

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text')
const gaps: Check = (value) =>
  Array.isArray(value) &&
  value.every((gap) => Array.isArray(gap) && gap.length === 2 && gap.every((each) => Number.isInteger(each)))
    ? undefined
    : 'pairs of an index and how many items come before it'
const FIXTURE: Form = { required: { path: text }, optional: { pointer: text, unseen: gaps } }

/** Starts collections with the items that data gives: lists, or where in JSON files they lie. */
function readStore(data: unknown, api: SimAPI, place: DataPlace): void {
  if (!isObject(data)) return place.report([], `must be items by collection, not ${shown(data)}`)
  for (const [collection, value] of Object.entries(data)) {
    const at = placeBelow(place, collection)
    try {
      const items = Array.isArray(value) ? value : readFixtureItems(value, at)
      if (items !== undefined) api.seedStore(collection, items)
    } catch (error) {
      at.report([], (error as Error).message.replace(`${collection}: `, ''))
    }
  }
}

function readFixtureItems(value: unknown, place: DataPlace): readonly unknown[] | undefined {
  return isOfForm(value, FIXTURE, place)
    ? readSeed(value as unknown as SeedFixture, place.directory)
    : undefined
}
