import { invalid } from '../errors.ts'
import { optionalObjects, requiredText, type Body } from '../fields.ts'

const KINDS = ['jar', 'egg', 'whl', 'requirements', 'pypi', 'maven', 'cran']

/** The libraries of a request, each of one kind. */
export function readLibraries(body: Body): readonly Body[] {
  const libraries = optionalObjects(body, 'libraries') ?? []
  if (libraries.length === 0) throw invalid('Missing required field: libraries')
  return libraries.map(readLibrary)
}

function readLibrary(library: Body): Body {
  const kinds = KINDS.filter((kind) => library[kind] != null)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1)
    throw invalid(`A library must be exactly one of ${KINDS.join(', ')}.`)
  const value = library[kind]
  if (kind === 'pypi' || kind === 'cran') requiredText(value as Body, 'package')
  if (kind === 'maven') requiredText(value as Body, 'coordinates')
  return { [kind]: value }
}
