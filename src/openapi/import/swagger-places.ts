import { isObject } from '../../engine/schema/schema.ts'
import type { Table } from './swagger-parameters.ts'

type Path = readonly string[]

const MOVED: readonly (readonly [from: Path, to: Path])[] = [
  [['definitions'], ['components', 'schemas']],
  [['parameters'], ['components', 'parameters']],
  [['responses'], ['components', 'responses']],
  [['securityDefinitions'], ['components', 'securitySchemes']],
]

/** Where a place of a Swagger description is in its conversion. */
export function placeInOpenApi(path: Path): Path {
  return moved(path, MOVED)
}

/** Where a place of a conversion is in the Swagger description that it was made of. */
export function placeInSwagger(path: Path, document: Table): Path {
  const back = moved(
    path,
    MOVED.map(([from, to]) => [to, from]),
  )
  // A schema below a content was beside it; what was made of form fields has no place but the parameters'.
  const content = back.indexOf('content')
  const [kept, below] = content < 0 ? [back, []] : [back.slice(0, content), back.slice(content + 2)]
  const body = kept.indexOf('requestBody')
  if (body >= 0)
    return [...kept.slice(0, body), 'parameters', ...bodyPlace(kept.slice(0, body), below, document)]
  const at = [...kept, ...below]
  const parameter = at.indexOf('parameters')
  return parameter >= 0 && at[parameter + 2] === 'schema'
    ? [...at.slice(0, parameter + 2), ...at.slice(parameter + 3)]
    : at
}

function bodyPlace(operation: Path, below: Path, document: Table): Path {
  const parameters = [...operation, 'parameters'].reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    document,
  )
  if (!Array.isArray(parameters)) return []
  const index = parameters.findIndex((each) => isObject(each) && each['in'] === 'body')
  return index < 0 ? [] : [String(index), ...below]
}

function moved(path: Path, moves: readonly (readonly [from: Path, to: Path])[]): Path {
  const move = moves.find(([from]) => from.every((key, index) => path[index] === key))
  return move === undefined ? path : [...move[1], ...path.slice(move[0].length)]
}
