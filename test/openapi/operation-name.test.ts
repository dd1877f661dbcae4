import { describe, expect, it } from 'vitest'
import { createRoute, type Method } from '../../src/engine/route.ts'
import { summaryOf, takeOperationId } from '../../src/openapi/operation-name.ts'

describe('the name of an operation', () => {
  it.for<[Method, string, string, string]>([
    ['GET', '/users', 'getUsers', 'Get users'],
    ['GET', '/users/{id}', 'getUsersById', 'Get users by id'],
    ['POST', '/orgs/{org_id}/user-groups', 'postOrgsByOrgIdUserGroups', 'Post orgs by org id user groups'],
    ['DELETE', '/files/{name}.{ext}', 'deleteFilesByNameByExt', 'Delete files by name by ext'],
    ['GET', '/', 'getRoot', 'Get root'],
    ['PUT', '/größe/{größe}', 'putGrößeByGröße', 'Put größe by größe'],
  ])('is made of method and path for %s %s', ([method, path, id, summary]) => {
    const route = createRoute(method, path, {})
    expect(takeOperationId(route, new Set())).toBe(id)
    expect(summaryOf(route)).toBe(summary)
  })

  it('is not given twice', () => {
    const taken = new Set<string>()
    const ids = ['/a-b', '/a/b', '/a_b'].map((path) => takeOperationId(createRoute('GET', path, {}), taken))
    expect(ids).toEqual(['getAB', 'getAB2', 'getAB3'])
  })
})
