import { ErrorCase, FromInput, list, ScenarioStep, SimAPI } from 'sim-gateway'

const NewUser = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } }
const User = {
  type: 'object',
  title: 'User',
  required: ['id', 'name'],
  properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string', ...FromInput('name') } },
}

/** An app of every kind of route, all of which keep their word. */
export const api = new SimAPI({ seed: 1, stateful: true })
api.get('/users', { output: list(User) })
api.post('/users', { input: NewUser, output: User, status: 201 })
api.get('/users/{id}', { output: User })
api.put('/users/{id}', { input: NewUser, output: User })
api.patch('/users/{id}', { input: NewUser, output: User })
api.delete('/users/{id}')
api.get('/orgs/{org}/items/{id}', { output: User })
api.get('/busy', {
  output: { type: 'object', properties: { n: { type: 'integer' } } },
  bearerTokens: ['secret', 'other'],
  rateLimit: 1,
  errorRate: 0.2,
  errorCodes: [503],
  errors: [ErrorCase({ when: () => false, status: 409 })],
  scenario: [ScenarioStep({ status: 500 }), ScenarioStep({ status: 200 })],
})

/** State of the module, which no test may see another's of. */
export const notes: string[] = []
