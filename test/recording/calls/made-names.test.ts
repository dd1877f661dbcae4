import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { awsQuery } from '../../../src/recording/protocols/aws-query.ts'
import { readXml } from '../../../src/shape/parse-xml.ts'
import { sample } from '../inference/samples.ts'

type Fields = Readonly<Record<string, string>>

const answered = (name: string, result: string): string =>
  `<${name}Response xmlns="urn:x"><${name}Result>${result}</${name}Result></${name}Response>`
const failed = (message: string): string =>
  `<ErrorResponse><Error><Message>${message}</Message></Error></ErrorResponse>`
const role = (name: string, path: string, key: string): string =>
  `<Path>${path}</Path><RoleName>${name}</RoleName><RoleId>ROLE${key}</RoleId>` +
  `<Arn>arn:x:7:role${path}${name}</Arn><Since>2026-01-02T03:04:05Z</Since>`
const made = (name: string, path: string, key: string): string =>
  answered('CreateRole', `<Role>${role(name, path, key)}</Role>`)
const listed = (roles: readonly string[], next?: string): string => {
  const marker = next === undefined ? '' : `<Marker>${next}</Marker>`
  const items = roles.map((each) => `<member>${each}</member>`).join('')
  return answered(
    'ListRoles',
    `<Roles>${items}</Roles><IsTruncated>${next !== undefined}</IsTruncated>${marker}`,
  )
}
const [ANT, BEE, CAT] = [
  role('ant', '/', 'AB1CD2EF3GH4'),
  role('bee', '/ops/', 'IJ5KL6MN7OP8'),
  role('cat', '/', 'QR9ST1UV2WX3'),
]

const RECORDED: readonly (readonly [name: string, fields: Fields, answer: string, status?: number])[] = [
  ['ListRoles', {}, listed([])],
  ['GetRole', { RoleName: 'none' }, failed('No role none'), 404],
  ['CreateRole', { RoleName: 'ant', 'Tags.member.1.Key': 'a' }, made('ant', '/', 'AB1CD2EF3GH4')],
  ['CreateRole', { RoleName: 'bee', Path: '/ops/' }, made('bee', '/ops/', 'IJ5KL6MN7OP8')],
  ['CreateRole', { RoleName: 'cat' }, made('cat', '/', 'QR9ST1UV2WX3')],
  ['CreateRole', { RoleName: 'ant' }, failed('There is a role ant'), 409],
  ['ListRoles', {}, listed([ANT, BEE, CAT])],
  ['ListRoles', { MaxItems: '2' }, listed([ANT, BEE], 'Mg==')],
  ['ListRoles', { MaxItems: '2', Marker: 'Mg==' }, listed([CAT])],
  ['ListRoles', { PathPrefix: '/ops/' }, listed([BEE])],
  ['UpdateRole', { RoleName: 'bee', NewRoleName: 'wasp' }, '<UpdateRoleResponse xmlns="urn:x"/>'],
  [
    'GetRole',
    { RoleName: 'wasp' },
    answered('GetRole', `<Role>${role('wasp', '/ops/', 'IJ5KL6MN7OP8')}</Role>`),
  ],
]

it('names objects of a query protocol by their arguments, lists them by pages and prefixes, and has no two of one name', () => {
  const samples = RECORDED.map(([Action, fields, response, status = 200], index) => ({
    ...sample(index, 'POST /', { body: { Action, Version: '1', ...fields }, response, status }),
    mimeType: 'text/xml',
  }))
  const model = inferCalls(samples, awsQuery)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const send = (Action: string, fields: Fields = {}): readonly [number | undefined, string] => {
    const request = { headers: {}, query: {}, body: { Action, Version: '1', ...fields } }
    const answer = answerCalls(model, all, request, { seed: 's', now: 0 })
    return [answer?.status, String(answer?.body)]
  }
  const rolesOf = ([, text]: readonly [unknown, string]): unknown => {
    const { ListRolesResponse } = readXml(text) as { ListRolesResponse: { ListRolesResult: object } }
    return ListRolesResponse.ListRolesResult
  }
  expect(send('ListRoles')).toEqual([200, listed([])])
  const [status, fox] = send('CreateRole', { RoleName: 'fox' })
  expect([status, fox.includes('<Arn>arn:x:7:role/fox</Arn><Since>1970-01-01T00:00:00Z</Since>')]).toEqual([
    200,
    true,
  ])
  expect(/<RoleId>(.*)<\/RoleId>/.exec(fox)?.[1]).not.toBe('ROLEAB1CD2EF3GH4')
  send('CreateRole', { RoleName: 'gnu', Path: '/it/' })
  send('CreateRole', { RoleName: 'hen' })
  expect(send('CreateRole', { RoleName: 'gnu' })).toEqual([409, failed('There is a role gnu')])
  expect(rolesOf(send('ListRoles', { PathPrefix: '/it/' }))).toMatchObject({
    Roles: { member: { RoleName: 'gnu', Arn: 'arn:x:7:role/it/gnu' } },
  })
  const page = rolesOf(send('ListRoles', { MaxItems: '2' })) as { Marker: string }
  expect(page).toMatchObject({
    IsTruncated: 'true',
    Roles: { member: [{ RoleName: 'fox' }, { RoleName: 'gnu' }] },
  })
  const last = rolesOf(send('ListRoles', { MaxItems: '2', Marker: page.Marker }))
  expect(last).toMatchObject({ IsTruncated: 'false', Roles: { member: { RoleName: 'hen' } } })
  expect(last).not.toHaveProperty('Marker')
  send('UpdateRole', { RoleName: 'gnu', NewRoleName: 'yak' })
  expect(send('GetRole', { RoleName: 'yak' })[1]).toContain('<Arn>arn:x:7:role/it/yak</Arn>')
  expect(send('GetRole', { RoleName: 'gnu' })).toEqual([404, failed('No role gnu')])
})
