/** One thing wrong with an app. */
export interface Problem {
  readonly kind: 'config' | 'target' | 'route' | 'model' | 'link' | 'answer'
  /** Method and path of the route it was found in. */
  readonly route?: string
  readonly model?: string
  readonly field?: string
  /** One line that names all of these. */
  readonly message: string
}

const PLACE =
  /^(?:(the model|[^\s:.]+)(?:\.([^\s:]+))?|the answer does not fit (the model|[^\s:]+): ([^\s:]+)): /

/** A problem of a route. A message that begins with model and field, as in `User.name: …`, says where it is. */
export function routeProblem(kind: Problem['kind'], route: string, message: string): Problem {
  const own = message.startsWith(`${route}: `) ? message.slice(route.length + 2) : message
  const [, ownModel, ownField, answerModel, answerField] = PLACE.exec(own) ?? []
  const [model, field] = [ownModel ?? answerModel, ownField ?? answerField]
  return {
    kind,
    route,
    ...(model !== undefined && { model }),
    ...(field !== undefined && { field }),
    message: `${route}: ${oneLine(own)}`,
  }
}

/** A text without line breaks. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ')
}

/** The problems without those that say the same. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
}
