import { describe } from 'vitest'
import { all, clientOf, clientTest, failureOf } from '../client.ts'

const SHARED = '0101-000000-sharedab'
const DOWN = '0101-000000-worker01'

const it = clientTest()

describe('the real client and libraries', () => {
  const statuses = async (client: ReturnType<typeof clientOf>, cluster_id: string) =>
    (await all(client.libraries.clusterStatus({ cluster_id }))).map(({ status }) => status)

  it('installs libraries on a running cluster', async ({ client, expect }) => {
    await client.libraries.install({
      cluster_id: SHARED,
      libraries: [{ pypi: { package: 'rich' } }, { pypi: { package: 'no-such-package' } }],
    })

    expect(await all(client.libraries.clusterStatus({ cluster_id: SHARED }))).toMatchObject([
      { library: { pypi: { package: 'simplejson==3.19.2' } }, status: 'INSTALLED' },
      { library: { pypi: { package: 'rich' } }, status: 'INSTALLED', is_library_for_all_clusters: false },
      { status: 'FAILED', messages: [expect.stringContaining('no-such-package')] },
    ])
  })

  it('waits for a cluster that is down', async ({ client, expect }) => {
    await client.libraries.install({ cluster_id: DOWN, libraries: [{ jar: 'dbfs:/a.jar' }] })
    const before = await statuses(client, DOWN)
    await (await client.clusters.start({ cluster_id: DOWN })).wait()

    expect(before).toEqual(['PENDING'])
    expect(await statuses(client, DOWN)).toEqual(['INSTALLED'])
  })

  it('uninstalls libraries by a restart', async ({ client, expect }) => {
    const library = { pypi: { package: 'simplejson==3.19.2' } }
    await client.libraries.install({ cluster_id: SHARED, libraries: [{ jar: 'dbfs:/a.jar' }] })
    await client.libraries.uninstall({
      cluster_id: SHARED,
      libraries: [library, { jar: 'dbfs:/absent.jar' }],
    })

    const marked = await statuses(client, SHARED)
    await (await client.clusters.restart({ cluster_id: SHARED })).wait()

    expect(marked).toEqual(['INSTALLED', 'UNINSTALL_ON_RESTART'])
    expect(await all(client.libraries.clusterStatus({ cluster_id: SHARED }))).toMatchObject([
      { library: { jar: 'dbfs:/a.jar' }, status: 'INSTALLED' },
    ])
  })

  it('lists the libraries of all clusters', async ({ client, expect }) => {
    await client.libraries.install({ cluster_id: DOWN, libraries: [{ whl: 'dbfs:/a.whl' }] })

    expect(await all(client.libraries.allClusterStatuses())).toMatchObject([
      { cluster_id: SHARED },
      { cluster_id: DOWN, library_statuses: [{ status: 'PENDING' }] },
    ])
  })

  it('refuses what is not a library', async ({ client, expect }) => {
    for (const library of [{}, { jar: 'a', whl: 'b' }, { pypi: {} }, { maven: {} }])
      expect(
        await failureOf(client.libraries.install({ cluster_id: SHARED, libraries: [library as never] })),
      ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 })
  })
})
