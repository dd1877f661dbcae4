import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SimAPI } from '../api.ts'
import { readJson } from '../data-files/json.ts'
import { textFile, type TextFile } from '../data-files/text-file.ts'
import { readYaml } from '../data-files/yaml.ts'
import { isObject } from '../engine/schema/schema.ts'
import { DescriptionInvalid } from '../errors.ts'
import { importDescription } from '../openapi/import/import-description.ts'
import { readCollection } from '../postman/collection.ts'
import { findMistakes } from '../postman/find-mistakes.ts'
import { toOpenApi } from '../postman/to-openapi.ts'
import { variablesIn } from '../postman/variables.ts'
import { given, type DocumentOptions, type LoadedDocument } from './target.ts'

/**
 * The app of a Postman collection (2.0 or 2.1): it is converted to a description, whose routes give the saved answers.
 * Variables come from the collection, and from the only environment that lies beside it.
 * @throws DescriptionInvalid when it is no such collection, or, with `strict`, when anything is wrong
 */
export async function loadPostman(
  { file, text }: TextFile,
  { defaults, options = {}, strict = false }: DocumentOptions,
): Promise<LoadedDocument> {
  const api = new SimAPI({ ...defaults, ...given(options) })
  const name = basename(file)
  const { document, mistakes } = collectionIn(text(), name)
  const environment = environmentBeside(file)
  const collection = readCollection(document, environment?.variables)
  const converted = toOpenApi(collection)
  const imported = importDescription(textFile(file, JSON.stringify(converted.document)))
  const problems = [...mistakes, ...imported.problems.map(({ message }) => `${name}: ${message}`)]
  if (imported.routes.length === 0) problems.push(`${name}: the collection has no requests`)
  if (strict && problems.length > 0) throw new DescriptionInvalid(problems)
  const isUsual = api.options.stateful !== true && api.options.dynamic !== true
  const routes = imported.routes.map((route) => {
    const answers = converted.saved.get(`${route.method} ${route.path}`) ?? []
    return answers.length === 0 ? route : { ...route, saved: { answers, isUsual } }
  })
  api.addRoutes(routes, imported.document)
  const count = collection.requests.length
  const kind = `Postman collection ${collection.version}, ${count} request${count === 1 ? '' : 's'}`
  return {
    api,
    problems,
    notes: converted.notes,
    document: kind,
    files: environment === undefined ? [] : [environment.file],
  }
}

function collectionIn(
  text: string,
  name: string,
): { readonly document: Readonly<Record<string, unknown>>; readonly mistakes: readonly string[] } {
  const json = readJson(text)
  const { problems } = json
  // Commas at the end of lists, as people leave them, do no harm: YAML has them.
  const { value, linesOf } = json.value === undefined ? readYaml(text) : json
  if (value === undefined)
    throw new DescriptionInvalid(problems.map(({ line, message }) => `${name}:${line}: ${message}`))
  // As Postman's own API gives it.
  const above = isObject(value) && isObject(value['collection']) ? ['collection'] : []
  const document = above.length > 0 ? (value as Readonly<Record<string, unknown>>)['collection'] : value
  if (!isObject(document) || !Array.isArray(document['item']))
    throw new DescriptionInvalid([
      `${name}: a Postman collection of version 1 is not supported: export it as 2.1`,
    ])
  const found = findMistakes(document)
  const lines = linesOf(found.map(({ keys }) => [...above, ...keys]))
  const mistakes = found.map(
    ({ keys, message }, index) =>
      `${name}:${lines[index] ?? 1}: ${keys.join('.')}: ${message}; it is passed over`,
  )
  return { document, mistakes }
}

interface Environment {
  readonly file: string
  readonly variables: readonly (readonly [string, string])[]
}

// Where there are several, nobody knows which is meant.
function environmentBeside(file: string): Environment | undefined {
  const names = readdirSync(dirname(file)).filter((name) => name.endsWith('.postman_environment.json'))
  const [only] = names
  if (only === undefined || names.length > 1) return undefined
  const path = join(dirname(file), only)
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as unknown
    return { file: path, variables: isObject(value) ? variablesIn(value['values'] ?? []) : [] }
  } catch (error) {
    throw new DescriptionInvalid([`${only}: not JSON: ${(error as Error).message}`])
  }
}
