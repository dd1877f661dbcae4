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
    { scope: { reads: ['counts'] }, tag: 'state', summary: 'How far the scenarios have come', output: STATE },
    (_input, request) => stateOf(request),
  ),
  defineOperation(
    'POST',
    '/scenarios/reset',
    { scope: { changes: ['counts'] }, tag: 'state', summary: 'Start all scenarios again', output: STATE },
    async (_input, request) => {
      await request.session.scenarios.reset()
      return stateOf(request)
    },
  ),
]

function stateOf({ engine, session }: Pick<ControlRequest, 'engine' | 'session'>): Promise<unknown> {
  const inTurn = engine.routes.filter(({ options }) => (options.scenario ?? []).length > 0)
  return Promise.all(
    inTurn.map(async ({ key, options: { scenario = [] } }) => ({
      route: key,
      steps: scenario.length,
      next: Math.min(scenario.length, (await session.scenarios.count(key)) + 1),
    })),
  )
}
