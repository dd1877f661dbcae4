import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const SHARED = '0101-000000-sharedab'
const libraries = [{ pypi: { package: 'rich' } }, { jar: 'dbfs:/a.jar' }]

describe('libraries', () => {
  it('keeps the contract of every operation on libraries', async () => {
    await expectGolden(
      'libraries',
      ['Libraries'],
      [
        { operation: 'libraries.install', body: { cluster_id: SHARED, libraries } },
        { operation: 'libraries.allClusterStatuses' },
        { operation: 'libraries.clusterStatus', query: { cluster_id: SHARED } },
        { operation: 'libraries.uninstall', body: { cluster_id: SHARED, libraries: libraries.slice(1) } },
        { operation: 'libraries.clusterStatus', query: { cluster_id: SHARED } },
        { operation: 'clusters.restart', body: { cluster_id: SHARED } },
        { operation: 'clusters.get', query: { cluster_id: SHARED } },
        { operation: 'libraries.clusterStatus', query: { cluster_id: SHARED } },
        { operation: 'libraries.clusterStatus', note: 'none', query: { cluster_id: '0101-000000-worker01' } },
        { operation: 'libraries.clusterStatus', note: 'a missing cluster', query: { cluster_id: 'nope' } },
        { operation: 'libraries.install', note: 'no library', body: { cluster_id: SHARED, libraries: [{}] } },
      ],
    )
  })
})
