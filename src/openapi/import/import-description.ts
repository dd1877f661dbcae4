import { isObject } from '../../engine/schema/schema.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { DescriptionInvalid } from '../../errors.ts'
import type { TextFile } from '../../data-files/text-file.ts'
import type { OpenApiDocument } from '../export/document.ts'
import { checkDescription, type Unused } from './check.ts'
import { collectGarbage } from '../../engine/collect-garbage.ts'
import { documentOf } from './copy-document.ts'
import { lazy } from '../../engine/lazy.ts'
import { createLibrary, readText } from './library.ts'
import { createModels, type Description } from './models.ts'
import { createSource, rootOf, type Source } from './node.ts'
import { placeProblems, problemLine, shortName, type PlacedProblem, type Problem } from './problem.ts'
import { routesOf, type ReadRouteOptions } from './routes.ts'
import { convertSwagger } from './swagger.ts'

/** What a description holds. */
export interface ImportedDescription {
  readonly routes: readonly RouteDefinition[]
  /** Such as `OpenAPI 3.1`. */
  readonly version: string
  /** What it gets wrong, in the order of its files; the rest is served. */
  readonly problems: readonly PlacedProblem[]
  /** What it describes and is not simulated. */
  readonly unused: readonly Unused[]
  /** The files it was read from, its own first. */
  readonly files: readonly string[]
  /** The description as one OpenAPI 3.1 document; made when it is needed. */
  document(): OpenApiDocument
}

/**
 * Reads an OpenAPI 3 or Swagger 2.0 description.
 * @throws DescriptionInvalid when nothing of it can be served
 */
export function importDescription(
  given: TextFile,
  readOptions: ReadRouteOptions = () => ({}),
): ImportedDescription {
  const { source, version, problems: textProblems } = sourceOf(given)
  given.pack()
  const library = createLibrary(source)
  const checked = checkDescription(library)
  if (given.isLong) collectGarbage()
  const description: Description = { library, checked, models: createModels(library, checked) }
  const problems: Problem[] = [...checked.problems]
  const routes = routesOf(description, readOptions, (problem) => problems.push(problem))
  const placed = placeProblems(problems).toSorted(
    (a, b) => Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line,
  )
  if (given.isLong) collectGarbage()
  return {
    routes,
    version,
    problems: distinct([...textProblems, ...placed]),
    unused: checked.unused,
    files: library.files(),
    document: lazy(() => documentOf(description)),
  }
}

function sourceOf(given: TextFile): { source: Source; version: string; problems: PlacedProblem[] } {
  const { file } = given
  const { format, value, problems } = readText(given.text(), file)
  const placed = problems.map(({ line, message }) => ({ file, line, pointer: '#', message }))
  if (value === undefined) throw new DescriptionInvalid(placed.map((problem) => problemLine(problem)))
  const own: Source = createSource(given, { format, value })
  const source = isObject(value) && value['swagger'] !== undefined ? convertSwagger(own) : own
  const problem = findVersionProblem(value)
  if (problem !== undefined) throw new DescriptionInvalid([`${shortName(file)}: ${problem}`])
  return { source: rootOf(source).source, version: versionOf(value), problems: placed }
}

function versionOf(value: unknown): string {
  const { openapi, swagger } = value as { readonly openapi?: unknown; readonly swagger?: unknown }
  const [version = ''] = /^\d+\.\d+/.exec(String(openapi ?? swagger)) ?? []
  return openapi === undefined ? 'Swagger 2.0' : `OpenAPI ${version}`
}

function findVersionProblem(value: unknown): string | undefined {
  if (!isObject(value))
    return `not an OpenAPI description: it holds ${Array.isArray(value) ? 'a list' : 'no object'}`
  const { openapi, swagger } = value
  if (openapi === undefined && swagger === undefined)
    return "not an OpenAPI description: it has neither 'openapi' nor 'swagger' at its top"
  const version = String(openapi ?? swagger)
  if (openapi === undefined ? /^2(\.0)?$/.test(version) : /^3\.[012](\.|$)/.test(version)) return undefined
  return `${openapi === undefined ? 'Swagger' : 'OpenAPI'} ${version} is not supported; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are`
}

function distinct(problems: readonly PlacedProblem[]): PlacedProblem[] {
  return [...new Map(problems.map((each) => [`${each.file} ${each.pointer} ${each.message}`, each])).values()]
}
