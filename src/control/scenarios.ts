import { defineOperation, fields, type ControlRequest } from './operation.ts'

const STATE = {
  type: 'array',
  items: fields({
    route: { type: 'string' },
    steps: { type: 'integer' },
    next: { type: 'integer', description: 'The step that the next request takes, from 1' },
  }),
}

/** The scenarios of declared routes. */
export const scenarios = [
  defineOperation(
    'GET',
    '/scenarios',
    { tag: 'state', summary: 'How far the scenarios have come', output: STATE },
    (_input, request) => stateOf(request),
  ),
  defineOperation(
    'POST',
    '/scenarios/reset',
    { tag: 'state', summary: 'Start all scenarios again', output: STATE },
    (_input, request) => {
      request.session.scenarios.reset()
      return stateOf(request)
    },
  ),
]

function stateOf({ engine, session }: Pick<ControlRequest, 'engine' | 'session'>): unknown {
  return engine.routes
    .filter(({ options }) => (options.scenario ?? []).length > 0)
    .map(({ key, options: { scenario = [] } }) => ({
      route: key,
      steps: scenario.length,
      next: Math.min(scenario.length, session.scenarios.count(key) + 1),
    }))
}
