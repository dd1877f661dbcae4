import { dirname } from 'node:path'
import { SimAPI } from '../api.ts'
import type { TextFile } from '../data-files/text-file.ts'
import { importDescription } from '../openapi/import/import-description.ts'
import { problemLine, type PlacedProblem } from '../openapi/import/problem.ts'
import { DescriptionInvalid } from '../errors.ts'
import { readRouteOptions } from './route-data/read-route-options.ts'
import { given, type DocumentOptions, type LoadedDocument } from './target.ts'

/**
 * The app that an OpenAPI 3 or a Swagger 2.0 description declares. What the description gets wrong is reported, and the
 * rest is served.
 * @throws DescriptionInvalid when nothing can be served, or, with `strict`, when anything is wrong
 */
export async function loadDescription(
  source: TextFile,
  { defaults, options: overrides = {}, strict = false, thorough = strict }: DocumentOptions,
): Promise<LoadedDocument> {
  const api = new SimAPI({ ...defaults, ...given(overrides) })
  const { listCount } = api.options
  const imported = importDescription(source, (data, report) => ({
    ...(listCount !== undefined && { listCount }),
    ...(Object.keys(data).length > 0 && readRouteOptions(data, { directory: dirname(source.file), report })),
  }))
  const isAlone = imported.files.length === 1
  // What is wrong already would only be said again, in other words.
  const isChecked = thorough && imported.problems.length === 0
  const found = isChecked ? await checkByRules(source, isAlone) : imported.problems
  const problems = found.map((problem) => problemLine(problem))
  if (strict && problems.length > 0) throw new DescriptionInvalid(problems)
  api.addRoutes(imported.routes, imported.document)
  const notes = [...new Set(imported.unused.map(({ kind, name }) => `${kind}: ${name}`))]
  const document = `${imported.version} description, ${imported.routes.length} operation${imported.routes.length === 1 ? '' : 's'}`
  return { api, document, problems, notes, files: imported.files.slice(1) }
}

// The parser is large, and most descriptions are served without it.
async function checkByRules({ file, text }: TextFile, isAlone: boolean): Promise<PlacedProblem[]> {
  const rules = await import('../openapi/import/check-by-rules.ts')
  return rules.checkByRules({ file, text: text(), isAlone })
}
