import { defineOperation, fields, type Asked } from './operation.ts'

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
    (_input, asked) => stateOf(asked),
  ),
  defineOperation(
    'POST',
    '/scenarios/reset',
    { tag: 'state', summary: 'Start all scenarios again', output: STATE },
    (_input, asked) => {
      asked.session.chain.scenarios.reset()
      return stateOf(asked)
    },
  ),
]

function stateOf({ engine, session }: Pick<Asked, 'engine' | 'session'>): unknown {
  return engine.routes
    .filter(({ options }) => (options.scenario ?? []).length > 0)
    .map(({ key, options: { scenario = [] } }) => ({
      route: key,
      steps: scenario.length,
      next: Math.min(scenario.length, session.chain.scenarios.count(key) + 1),
    }))
}
