import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolder, send } from './kit.ts'
import { runSim, startSim } from './sim-process.ts'

const DESCRIPTION = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200':
          description: The pets
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Pet' }
        '404':
          description: None
    delete:
      responses: { '204': { description: Gone } }
components:
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: { type: integer }
`

it('writes what was seen when it ends, and ends with 3 where that is not enough', async () => {
  const folder = openFolder({ 'api.yaml': DESCRIPTION })
  const files = ['coverage.json', 'junit.xml', 'lcov.info']
  const flags = files.flatMap((file) => ['--coverage-report', file])
  const sim = await startSim(
    ['run', 'api.yaml', '--check', 'report', ...flags, '--fail-on', 'violations', 'operations=60'],
    folder.path,
  )
  await send('GET', `${sim.url}/pets?limit=1`)
  await send('GET', `${sim.url}/pets?limit=x`)
  expect(await sim.stop()).toBe(3)
  expect(sim.stderr()).toContain('--fail-on: it found 1 violation\n')
  expect(sim.stderr()).toContain('--fail-on: 1 of 2 operations were seen, which is less than 60 %\n')

  const [json = '', junit = '', lcov = ''] = files.map((file) =>
    readFileSync(join(folder.path, file), 'utf8'),
  )
  expect(JSON.parse(json)).toMatchObject({
    totals: { operations: { seen: 1, total: 2 }, statuses: { seen: 1, total: 3 } },
    violations: 1,
  })
  expect(junit).toContain('tests="2" failures="1" skipped="1"')
  expect(junit).toContain('<failure message="request query /limit: type: Value must be integer (1 times)">')
  // The lines of the operations, the parameter, the statuses, the media type and the field.
  const lines = [...lcov.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => [
    Number(line),
    Number(count),
  ])
  expect(lines).toEqual([
    [5, 2],
    [7, 2],
    [9, 1],
    [12, 1],
    [14, 0],
    [16, 0],
    [17, 0],
    [24, 1],
  ])
})

it.for([
  [['--fail-on', 'violations'], '--fail-on needs --check report or --check enforce'],
  [['--check', 'report', '--fail-on', 'bugs'], '--fail-on must be violations, or a share in percent'],
  [['--check', 'report', '--coverage-report', 'c.txt'], '--coverage-report must end in .json, .xml'],
] as const)('refuses %j', async ([flags, said]) => {
  const folder = openFolder({ 'api.yaml': DESCRIPTION })
  const { code, stderr } = await runSim(['run', 'api.yaml', ...flags], folder.path)
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
})
