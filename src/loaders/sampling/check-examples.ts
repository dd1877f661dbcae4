import { createChecker } from '../../engine/schema/checker.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { MediaType } from '../../engine/operation.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { routeProblem, type Problem } from '../problem.ts'

/** Examples of a described route that do not fit their models, and so are passed over. */
export function checkExamples({ key, operation }: RouteDefinition): Problem[] {
  return (operation?.responses ?? []).flatMap(({ status, content }) =>
    [...content]
      .filter(([type]) => mediaKindOf(type) === 'json')
      .flatMap(([type, media]) =>
        unfit(media).map(([name, why]) =>
          routeProblem(
            'answer',
            key,
            `${status} ${type}: the example '${name}' does not fit its schema and is passed over: ${why}`,
          ),
        ),
      ),
  )
}

function unfit({ model, examples }: MediaType): [name: string, why: string][] {
  if (model === undefined || examples.length === 0) return []
  const checker = createChecker(model)
  return examples.flatMap(({ name, value }): [string, string][] => {
    const [violation] = checker.check(value)
    return violation === undefined
      ? []
      : [[name, `${violation.path.join('.') || 'the value'}: ${violation.message}`]]
  })
}
