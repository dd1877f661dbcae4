import type { Operation, OperationMethod } from 'sim-gateway/adapter'

interface Family {
  readonly family: string
  readonly version: string
  readonly operations: readonly (readonly [id: string, method: OperationMethod, path: string])[]
}

/** What the service has and this simulation does not: it answers 501 in strict mode. */
const FAMILIES: readonly Family[] = [
  {
    family: 'Cluster policies',
    version: '2.0',
    operations: [
      ['clusterPolicies.create', 'POST', '/api/2.0/policies/clusters/create'],
      ['clusterPolicies.delete', 'POST', '/api/2.0/policies/clusters/delete'],
      ['clusterPolicies.edit', 'POST', '/api/2.0/policies/clusters/edit'],
      ['clusterPolicies.get', 'GET', '/api/2.0/policies/clusters/get'],
      ['clusterPolicies.list', 'GET', '/api/2.0/policies/clusters/list'],
      ['policyFamilies.list', 'GET', '/api/2.0/policy-families'],
      ['policyFamilies.get', 'GET', '/api/2.0/policy-families/{policy_family_id}'],
      ['policyCompliance.getForCluster', 'GET', '/api/2.0/policies/clusters/get-compliance'],
      ['policyCompliance.listForClusters', 'GET', '/api/2.0/policies/clusters/list-compliance'],
      ['policyCompliance.enforceForCluster', 'POST', '/api/2.0/policies/clusters/enforce-compliance'],
      ['policyCompliance.getForJob', 'GET', '/api/2.0/policies/jobs/get-compliance'],
      ['policyCompliance.listForJobs', 'GET', '/api/2.0/policies/jobs/list-compliance'],
      ['policyCompliance.enforceForJob', 'POST', '/api/2.0/policies/jobs/enforce-compliance'],
    ],
  },
  {
    family: 'Instance pools',
    version: '2.0',
    operations: [
      ['instancePools.create', 'POST', '/api/2.0/instance-pools/create'],
      ['instancePools.delete', 'POST', '/api/2.0/instance-pools/delete'],
      ['instancePools.edit', 'POST', '/api/2.0/instance-pools/edit'],
      ['instancePools.get', 'GET', '/api/2.0/instance-pools/get'],
      ['instancePools.list', 'GET', '/api/2.0/instance-pools/list'],
      ['instanceProfiles.add', 'POST', '/api/2.0/instance-profiles/add'],
      ['instanceProfiles.edit', 'POST', '/api/2.0/instance-profiles/edit'],
      ['instanceProfiles.list', 'GET', '/api/2.0/instance-profiles/list'],
      ['instanceProfiles.remove', 'POST', '/api/2.0/instance-profiles/remove'],
    ],
  },
  {
    family: 'Global init scripts',
    version: '2.0',
    operations: [
      ['globalInitScripts.create', 'POST', '/api/2.0/global-init-scripts'],
      ['globalInitScripts.list', 'GET', '/api/2.0/global-init-scripts'],
      ['globalInitScripts.get', 'GET', '/api/2.0/global-init-scripts/{script_id}'],
      ['globalInitScripts.update', 'PATCH', '/api/2.0/global-init-scripts/{script_id}'],
      ['globalInitScripts.delete', 'DELETE', '/api/2.0/global-init-scripts/{script_id}'],
    ],
  },
  {
    family: 'Command execution',
    version: '1.2',
    operations: [
      ['commandExecution.cancel', 'POST', '/api/1.2/commands/cancel'],
      ['commandExecution.execute', 'POST', '/api/1.2/commands/execute'],
      ['commandExecution.commandStatus', 'GET', '/api/1.2/commands/status'],
      ['commandExecution.create', 'POST', '/api/1.2/contexts/create'],
      ['commandExecution.destroy', 'POST', '/api/1.2/contexts/destroy'],
      ['commandExecution.contextStatus', 'GET', '/api/1.2/contexts/status'],
    ],
  },
  {
    family: 'SQL',
    version: '2.0',
    operations: [
      ['warehouses.getWorkspaceWarehouseConfig', 'GET', '/api/2.0/sql/config/warehouses'],
      ['warehouses.setWorkspaceWarehouseConfig', 'PUT', '/api/2.0/sql/config/warehouses'],
      ['queryHistory.list', 'GET', '/api/2.0/sql/history/queries'],
      ['queries.create', 'POST', '/api/2.0/sql/queries'],
      ['queries.list', 'GET', '/api/2.0/sql/queries'],
      ['queries.get', 'GET', '/api/2.0/sql/queries/{id}'],
      ['queries.update', 'PATCH', '/api/2.0/sql/queries/{id}'],
      ['queries.delete', 'DELETE', '/api/2.0/sql/queries/{id}'],
      ['alerts.create', 'POST', '/api/2.0/sql/alerts'],
      ['alerts.list', 'GET', '/api/2.0/sql/alerts'],
      ['alerts.get', 'GET', '/api/2.0/sql/alerts/{id}'],
      ['alerts.update', 'PATCH', '/api/2.0/sql/alerts/{id}'],
      ['alerts.delete', 'DELETE', '/api/2.0/sql/alerts/{id}'],
    ],
  },
  {
    family: 'Repos',
    version: '2.0',
    operations: [
      ['repos.create', 'POST', '/api/2.0/repos'],
      ['repos.list', 'GET', '/api/2.0/repos'],
      ['repos.get', 'GET', '/api/2.0/repos/{repo_id}'],
      ['repos.update', 'PATCH', '/api/2.0/repos/{repo_id}'],
      ['repos.delete', 'DELETE', '/api/2.0/repos/{repo_id}'],
      ['gitCredentials.create', 'POST', '/api/2.0/git-credentials'],
      ['gitCredentials.list', 'GET', '/api/2.0/git-credentials'],
      ['gitCredentials.get', 'GET', '/api/2.0/git-credentials/{credential_id}'],
      ['gitCredentials.update', 'PATCH', '/api/2.0/git-credentials/{credential_id}'],
      ['gitCredentials.delete', 'DELETE', '/api/2.0/git-credentials/{credential_id}'],
    ],
  },
  {
    family: 'Files',
    version: '2.0',
    operations: [
      ['files.download', 'GET', '/api/2.0/fs/files/{path*}'],
      ['files.upload', 'PUT', '/api/2.0/fs/files/{path*}'],
      ['files.delete', 'DELETE', '/api/2.0/fs/files/{path*}'],
      ['files.listDirectoryContents', 'GET', '/api/2.0/fs/directories/{path*}'],
      ['files.createDirectory', 'PUT', '/api/2.0/fs/directories/{path*}'],
      ['files.deleteDirectory', 'DELETE', '/api/2.0/fs/directories/{path*}'],
    ],
  },
  {
    family: 'SCIM',
    version: '2.0',
    operations: (['Users', 'Groups', 'ServicePrincipals'] as const).flatMap((name) => {
      const id = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
      const path = `/api/2.0/preview/scim/v2/${name}`
      return [
        [`${id}.create`, 'POST', path],
        [`${id}.list`, 'GET', path],
        [`${id}.get`, 'GET', `${path}/{id}`],
        [`${id}.update`, 'PUT', `${path}/{id}`],
        [`${id}.patch`, 'PATCH', `${path}/{id}`],
        [`${id}.delete`, 'DELETE', `${path}/{id}`],
      ] as const
    }),
  },
]

/** The operations that are known and not implemented. */
export const unsupportedOperations: readonly Operation<unknown>[] = FAMILIES.flatMap(
  ({ family, version, operations }) =>
    operations.map(([id, method, path]) => ({
      id,
      method,
      path,
      family,
      version,
      support: 'unsupported' as const,
      tests: [],
      documentation: 'https://docs.databricks.com/api/workspace/introduction',
    })),
)
