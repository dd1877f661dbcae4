import type { SimAPI } from '../../api.ts'
import type { MediaType } from '../../engine/operation.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { modelName } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import { distinct, routeProblem, type Problem } from '../problem.ts'
import { sampleRoutes, type AnsweredSample } from './sample-routes.ts'

/** What sampling the answers of routes found. */
interface AnswerFindings {
  readonly problems: readonly Problem[]
  /** Routes whose answer could not be seen, which need not mean that anything is wrong. */
  readonly warnings: readonly Problem[]
}

/** Asks each route for an answer and checks it against the route's output model. */
export async function checkAnswers(api: SimAPI, routes: readonly RouteDefinition[]): Promise<AnswerFindings> {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  for (const sample of await sampleRoutes(api, routes)) {
    const { key } = sample.route
    if (sample.kind === 'answered') problems.push(...violationsOf(sample))
    else if (sample.kind === 'failed') problems.push(routeProblem('answer', key, sample.reason))
    else warnings.push(routeProblem('answer', key, `no answer could be sampled: ${sample.reason}`))
  }
  return { problems: distinct(problems), warnings: distinct(warnings) }
}

function violationsOf({ route, body }: AnsweredSample): Problem[] {
  const { output } = route.options
  if (output === undefined || body === undefined) return []
  return createChecker(output)
    .check(body)
    .map(({ path, message }) => {
      const place = [modelName(output, 'output'), ...path.filter((part) => typeof part === 'string')]
      return routeProblem('answer', route.key, `${place.join('.')}: its answer does not fit: ${message}`)
    })
}

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
