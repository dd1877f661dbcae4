import { reply, type Operation } from 'sim-gateway/adapter'
import type { ScimState, User } from './state.ts'

/** The share of the workspace that people are about. */
export interface ScimSlice {
  readonly scim: ScimState
}

/** The operations of people. */
export const scimOperations: readonly Operation<ScimSlice>[] = [
  {
    id: 'currentUser.me',
    method: 'GET',
    path: '/api/2.0/preview/scim/v2/Me',
    support: 'exact',
    family: 'Current user',
    version: '2.0',
    variants: ['with the header X-Databricks-Org-Id'],
    documentation: 'https://docs.databricks.com/api/workspace/currentuser/me',
    tests: [
      'test/scim/me.test.ts > is whom the token names, or the first of the fixture',
      'test/scim/golden.test.ts > answers its contract',
    ],
    handle({ state, credentials }) {
      const { userName } = state.scim.callerOf(credentials)
      return reply({
        headers: { 'x-databricks-org-id': String(state.scim.workspaceId) },
        body: describe(state.scim, state.scim.user(userName)),
      })
    },
  },
]

function describe(scim: ScimState, user: User): object {
  const { userName, displayName = userName, active = true, entitlements = [], roles = [] } = user
  const [givenName = '', ...rest] = displayName.split(' ')
  return {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:workspace:2.0:User',
    ],
    id: user.id ?? scim.idOf('user', userName),
    userName,
    displayName,
    active,
    name: { givenName, ...(rest.length > 0 && { familyName: rest.join(' ') }) },
    emails: [{ type: 'work', value: userName, primary: true }],
    groups: scim.groupsOf(userName).map((group) => {
      const id = scim.idOf('group', group)
      return { display: group, type: 'direct', value: id, $ref: `Groups/${id}` }
    }),
    entitlements: entitlements.map((value) => ({ value })),
    roles: roles.map((value) => ({ value })),
  }
}
