import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { simPropertyTests } from '../../src/testing/sim-property-tests.ts'
import { INNER, runInner } from './inner.ts'
import { APP } from './targets.ts'

describe('simPropertyTests', () => {
  it('has one test for each endpoint, and all pass where the app keeps its word', async () => {
    const tests = await runInner(INNER.allEndpoints)
    expect(tests.filter(({ passed }) => !passed)).toEqual([])
    expect(tests.map(({ title }) => title)).toEqual([
      ...['GET /users', 'POST /users', 'GET /users/{id}', 'PUT /users/{id}', 'PATCH /users/{id}'],
      ...['DELETE /users/{id}', 'GET /orgs/{org}/items/{id}', 'GET /busy'],
    ])
  })

  it('fails the test of an endpoint that breaks its word, with the smallest request that shows it', async () => {
    const [fine, labels] = await runInner(INNER.plantedBug)
    expect(fine).toMatchObject({ title: 'GET /fine', passed: true })
    expect(labels).toMatchObject({ title: 'GET /labels', passed: false })
    expect(labels?.message).toContain(
      'GET /labels: the status 500 is not one of a success\n\nInput: {"name":""}\n',
    )
    expect(labels?.message).toContain("Replay: { seed: 5, replayPath: '")
    expect(labels?.message).toContain(`Reproduce with curl:\ncurl -i 'http://127.0.0.1:8000/labels?name='\n`)
    expect(labels?.message).toContain(`Or JavaScript:\nawait fetch('http://127.0.0.1:8000/labels?name=')`)
  })

  it.for([
    [{ app: './nowhere.ts:api' }, "Module './nowhere.ts' not found"],
    [{ app: new SimAPI() }, 'The app to test declares no routes'],
    [{ app: (() => 1) as unknown as () => SimAPI }, 'The app to test must be a SimAPI'],
    [
      { app: new SimAPI().get('/a'), invariants: { 'GET /b': {} } },
      "invariants names the endpoint 'GET /b', which is none of *, GET /a",
    ],
  ] as const)('refuses %j', async ([options, message]) => {
    await expect(simPropertyTests(options)).rejects.toThrow(message)
  })
})

describe('the endpoints of an app', async () => {
  await simPropertyTests({ app: `${APP}:api`, numRuns: 20 })
})
