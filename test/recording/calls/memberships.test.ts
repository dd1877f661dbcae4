import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { awsJson } from '../../../src/recording/protocols/aws-json.ts'
import { sample } from '../inference/samples.ts'

const headersOf = (call: string): Record<string, string> => ({ 'x-amz-target': `Club_1.${call}` })
const SAID_OTHERWISE = { 'content-type': 'application/json' }
let index = 0
const said = (call: string, body: object, response: object) =>
  sample(index++, 'POST /', { body, response }, headersOf(call))
const refused = (call: string, body: object, response: object) => ({
  ...sample(index++, 'POST /', { body, response, status: 400 }, headersOf(call)),
  responseHeaders: SAID_OTHERWISE,
})
const user = (UserName: string) => ({ UserName, Club: 'c1', Role: 'plain' })
const team = (TeamName: string) => ({ TeamName, Club: 'c1', Text: `the ${TeamName}` })
const none = (what: string) => ({ __type: 'NotFound', message: `No ${what}` })

// Every call names the club, too.
const Club = 'c1'
const RECORDED = [
  ...['ann', 'bob', 'cyd'].map((UserName) =>
    said('AdminCreateUser', { Club, UserName }, { User: user(UserName) }),
  ),
  said('AdminGetUser', { Club, UserName: 'bob' }, { User: user('bob') }),
  refused('AdminGetUser', { Club, UserName: 'nobody' }, none('user nobody')),
  ...['admins', 'makers'].map((TeamName) =>
    said('CreateTeam', { Club, TeamName, Text: `the ${TeamName}` }, { Team: team(TeamName) }),
  ),
  said('AddUserToTeam', { Club, UserName: 'ann', TeamName: 'admins' }, {}),
  said('AddUserToTeam', { Club, UserName: 'bob', TeamName: 'admins' }, {}),
  said('AddUserToTeam', { Club, UserName: 'bob', TeamName: 'makers' }, {}),
  refused('AddUserToTeam', { Club, UserName: 'nobody', TeamName: 'admins' }, none('user nobody')),
  said('ListUsersInTeam', { Club, TeamName: 'admins' }, { Users: [user('ann'), user('bob')] }),
  said('ListUsersInTeam', { Club, TeamName: 'makers' }, { Users: [user('bob')] }),
  said('ListTeamsForUser', { Club, UserName: 'bob' }, { Teams: [team('admins'), team('makers')] }),
  said('DescribeTeam', { Club, TeamName: 'makers' }, { Team: team('makers'), Users: [user('bob')] }),
  said('RemoveUserFromTeam', { Club, UserName: 'bob', TeamName: 'admins' }, {}),
  said('ListUsersInTeam', { Club, TeamName: 'admins' }, { Users: [user('ann')] }),
  said('DescribeTeam', { Club, TeamName: 'admins' }, { Team: team('admins'), Users: [user('ann')] }),
  said('DeleteUser', { Club, UserName: 'ann' }, {}),
  said('ListUsersInTeam', { Club, TeamName: 'admins' }, { Users: [] }),
  said('ListUsers', { Club }, { Users: [user('bob'), user('cyd')] }),
]

it('lists what calls have joined with what, and no more once it is parted or gone', () => {
  const model = inferCalls(RECORDED, awsJson)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const answer = (name: string, body: object) =>
    answerCalls(model, all, { headers: headersOf(name), query: {}, body }, { seed: '', now: 0 })
  const call = (name: string, body: object): unknown => answer(name, { Club, ...body })?.body
  for (const UserName of ['eve', 'fay']) call('AdminCreateUser', { UserName })
  call('CreateTeam', { TeamName: 'cooks', Text: 'the cooks' })
  expect(call('ListUsersInTeam', { TeamName: 'cooks' })).toEqual({ Users: [] })
  for (const UserName of ['eve', 'fay'])
    expect(call('AddUserToTeam', { UserName, TeamName: 'cooks' })).toEqual({})
  expect(call('ListUsersInTeam', { TeamName: 'cooks' })).toEqual({ Users: [user('eve'), user('fay')] })
  expect(call('ListTeamsForUser', { UserName: 'fay' })).toEqual({ Teams: [team('cooks')] })
  expect(call('DescribeTeam', { TeamName: 'cooks' })).toEqual({
    Team: team('cooks'),
    Users: [user('eve'), user('fay')],
  })
  expect(call('RemoveUserFromTeam', { UserName: 'eve', TeamName: 'cooks' })).toEqual({})
  expect(call('DescribeTeam', { TeamName: 'cooks' })).toEqual({ Team: team('cooks'), Users: [user('fay')] })
  expect(call('DeleteUser', { UserName: 'fay' })).toEqual({})
  expect(call('AdminCreateUser', { UserName: 'fay' })).toEqual({ User: user('fay') })
  expect(call('ListUsersInTeam', { TeamName: 'cooks' })).toEqual({ Users: [] })
  // What is refused has another media type than what is not.
  expect(answer('AddUserToTeam', { Club, UserName: 'gus', TeamName: 'cooks' })).toMatchObject({
    ...{ status: 400, headers: SAID_OTHERWISE },
    body: none('user gus'),
  })
})
