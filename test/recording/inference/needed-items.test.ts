import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const team = (id: number) => ({ id, name: `team ${id}` })
const player = (id: number, teamId: number | null, level: number) => ({ id, level, team_id: teamId })
const made = (id: number, teamId: number, level: number): Entry => [
  'POST /players',
  { status: 201, body: { level, team_id: teamId }, response: player(id, teamId, level) },
]

const ENTRIES: readonly Entry[] = [
  ['POST /teams', { status: 201, body: { name: 'team 1' }, response: team(1) }],
  ['POST /teams', { status: 201, body: { name: 'team 2' }, response: team(2) }],
  ['GET /teams/1', { response: team(1) }],
  made(1, 2, 1),
  made(2, 1, 2),
  ['GET /players/1', { response: player(1, 2, 1) }],
  ['PATCH /players/1', { body: { team_id: 1 }, response: player(1, 1, 1) }],
  ['GET /players/1', { response: player(1, 1, 1) }],
]

function routesOf(...more: readonly Entry[]) {
  const inference = inferRoutes(samplesOf(...ENTRIES, ...more))
  const { document } = toRouteFile(inference)
  const answers = new Map(
    inference.routes.map(({ method, path, refusals }) => [`${method} ${path}`, refusals?.errorAnswers ?? {}]),
  )
  return { answers, routes: document['routes'] as Readonly<Record<string, { readonly item?: object }>> }
}

it.for([
  [404, { detail: 'Team 999 not found' }, { detail: 'Team {value} not found' }],
  [422, { team: ['must exist'] }, { team: ['must exist'] }],
  [400, { team_id: ['Invalid pk "999".'] }, { '{field}': ['Invalid pk "{value}".'] }],
] as const)('finds which items have to be there, by a %s for one that is not', ([status, response, body]) => {
  const { answers, routes } = routesOf([
    'POST /players',
    { status, body: { level: 3, team_id: 999 }, response },
  ])
  for (const route of ['POST /players', 'PATCH /players/{id}']) {
    expect(routes[route]?.item).toMatchObject({ needs: { team_id: '/teams/{id}' } })
    const own = answers.get(route)
    const answer = own?.['SIM_INPUT_INVALID/not_found'] ?? own?.['SIM_INPUT_INVALID']
    expect(answer).toMatchObject({ status, body })
  }
})

it('takes no other field for one that names items, and none that also names what is not there', () => {
  const level: Entry = [
    'POST /players',
    { status: 400, body: { level: 9 }, response: { level: 'is not in order' } },
  ]
  expect(routesOf(level).routes['POST /players']?.item).toBeUndefined()
  const lacking: Entry = [
    'POST /players',
    { status: 404, body: { team_id: 999 }, response: { detail: 'no team' } },
  ]
  expect(routesOf(lacking, made(3, 8, 1)).routes['POST /players']?.item).toBeUndefined()
})

it('knows a conflict for what is not there from one for what is, and says it of nothing else', () => {
  const response = { message: 'The team does not exist' }
  const { answers, routes } = routesOf([
    'POST /players',
    { status: 409, body: { level: 3, team_id: 999 }, response },
  ])
  expect(routes['POST /players']).toMatchObject({ item: { needs: { team_id: '/teams/{id}' } } })
  expect(routes['POST /players']).not.toHaveProperty('errors')
  expect(answers.get('POST /players')).not.toHaveProperty('SIM_ITEM_EXISTS')
})
