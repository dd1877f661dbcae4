import { describe, expect, it } from 'vitest'
import type { OntologyMockConfig } from '../src/config.ts'
import { OntologyMock } from '../src/mock.ts'
import { ask } from './ask.ts'

const READ = 'api:ontologies-read'
const WRITE = 'api:ontologies-write'

const strict = (tokens: NonNullable<Extract<OntologyMockConfig['auth'], object>['tokens']>): OntologyMock =>
  new OntologyMock({ auth: { mode: 'strict', tokens } })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const employees = { objectSet: { type: 'base', objectType: 'Employee' } }

describe('credentials', () => {
  it('are ignored, optional or demanded, by the mode', async () => {
    for (const auth of ['disabled', 'optional'] as const) {
      expect((await ask(new OntologyMock({ auth }), '')).status).toBe(200)
    }
    const mock = strict([{ token: 'good', scopes: [READ] }])
    expect(await ask(mock, '')).toMatchObject({
      status: 401,
      body: { errorCode: 'UNAUTHORIZED', errorName: 'MissingCredentials', parameters: {} },
    })
    expect(await ask(mock, '', undefined, bearer('secret-token'))).toMatchObject({
      status: 401,
      body: { errorName: 'Default:Unauthorized' },
    })
    expect((await ask(mock, '', undefined, bearer('good'))).status).toBe(200)
  })

  it('are never repeated in an answer', async () => {
    const mock = strict([])
    for (const headers of [bearer('secret-token'), { authorization: 'Basic secret-token' }]) {
      const { body, headers: answered } = await ask(mock, '', undefined, headers)
      expect(JSON.stringify([body, [...answered]])).not.toContain('secret')
    }
  })

  it('need the scopes of the operation', async () => {
    const mock = strict([
      { token: 'none', scopes: [] },
      { token: 'reader', scopes: [READ] },
      { token: 'writer', scopes: [READ, WRITE] },
    ])
    expect(await ask(mock, '/acme', undefined, bearer('none'))).toMatchObject({
      status: 403,
      body: {
        errorCode: 'PERMISSION_DENIED',
        errorName: 'ApiUsageDenied',
        parameters: { missingScope: READ },
      },
    })
    const create = (token: string) => ask(mock, '/acme/objectSets/createTemporary', employees, bearer(token))
    expect((await create('reader')).body.parameters).toEqual({ missingScope: WRITE })
    const { body } = await create('writer')
    expect((await ask(mock, `/acme/objectSets/${body.objectSetRid}`, undefined, bearer('none'))).status).toBe(
      200,
    )
  })

  it('see only what is granted: the rest is not there', async () => {
    const mock = strict([
      { token: 'all' },
      {
        token: 'office',
        grants: ['ontologies/acme/objectTypes/{Office,Warehouse}', 'ontologies/acme/interfaceTypes/*'],
      },
      { token: 'other', grants: ['ontologies/elsewhere/**'] },
    ])
    const see = (path: string, body?: unknown) => ask(mock, path, body, bearer('office'))
    expect(
      (await see('/acme/objectTypes')).body.data.map((type: { apiName: string }) => type.apiName),
    ).toEqual(['Office', 'Warehouse'])
    expect((await see('/acme/objectTypes/Employee')).body.errorName).toBe('ObjectTypeNotFound')
    expect((await see('/acme/objects/Employee')).body.errorName).toBe('ObjectTypeNotFound')
    expect((await see('/acme/objectTypes/Office/outgoingLinkTypes')).body.data).toEqual([])
    expect((await see('/acme/objects/Office/hq/links/employees')).body.errorName).toBe('LinkTypeNotFound')
    expect((await see('/acme/actionTypes')).body.data).toEqual([])
    expect((await see('/acme/queries/headcount/execute', { parameters: {} })).body.errorName).toBe(
      'QueryNotFound',
    )
    expect((await see('/acme/objectSets/loadObjects', employees)).body.errorName).toBe('ObjectTypeNotFound')
    const facilities = { objectSet: { type: 'interfaceBase', interfaceType: 'Facility' } }
    expect((await see('/acme/objectSets/loadObjects', facilities)).body.totalCount).toBe('5')

    const employee = await ask(mock, '/acme/objects/Employee/1', undefined, bearer('all'))
    const byRid = { objectSet: { type: 'static', objects: [employee.body.__rid] } }
    expect((await ask(mock, '/acme/objectSets/loadObjects', byRid, bearer('all'))).body.totalCount).toBe('1')
    expect((await see('/acme/objectSets/loadObjects', byRid)).body.totalCount).toBe('0')

    const hq = await see('/acme/objects/Office/hq')
    const around = {
      objectSet: {
        type: 'searchAround',
        link: 'employees',
        objectSet: { type: 'static', objects: [hq.body.__rid] },
      },
    }
    expect((await ask(mock, '/acme/objectSets/loadObjects', around, bearer('all'))).body.totalCount).toBe('2')
    expect((await see('/acme/objectSets/loadObjects', around)).body.errorName).toBe('LinkTypeNotFound')

    expect((await ask(mock, '', undefined, bearer('other'))).body.data).toEqual([])
    expect((await ask(mock, '/acme', undefined, bearer('other'))).body.errorName).toBe('OntologyNotFound')
  })

  it('are denied by a hook', async () => {
    const mock = new OntologyMock({
      auth: { deny: ({ operation }) => (operation.id === 'getOntologyV2' ? 'Not today.' : false) },
    })
    expect((await ask(mock, '')).status).toBe(200)
    expect(await ask(mock, '/acme')).toMatchObject({
      status: 403,
      body: { errorName: 'Default:PermissionDenied', errorDescription: 'Not today.' },
    })
  })
})
