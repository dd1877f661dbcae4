import type { SimAPI } from '../../api.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { modelName } from '../../engine/schema/schema.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { distinct, routeProblem, type Problem } from '../problem.ts'
import { sampleRoutes, type AnsweredSample } from './sample-routes.ts'

/** What sampling the answers of routes found. */
export interface AnswerFindings {
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
