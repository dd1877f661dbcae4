import { simPropertyTests } from '../../../src/testing/index.ts'
import { APP } from '../targets.ts'

await simPropertyTests({
  app: `${APP}:api`,
  numRuns: 30,
  invariants: {
    '*': { 'does not fail': ({ response }) => response.status < 300 },
    'GET /users': { 'finds the created user': ({ body }) => body.length === 1 },
    'POST /users': { 'keeps the name': ({ input, body }) => body.name === input['name'] },
  },
})
