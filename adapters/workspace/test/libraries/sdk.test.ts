import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, clientOf, failureOf } from '../client.ts'

const SHARED = '0101-000000-sharedab'
const DOWN = '0101-000000-worker01'

describe('the real client and libraries', () => {
  let mock: WorkspaceMockContext
  let client: ReturnType<typeof clientOf>

  const statuses = async (cluster_id: string) =>
    (await all(client.libraries.clusterStatus({ cluster_id }))).map(({ status }) => status)

  beforeAll(async () => {
    mock = await WorkspaceMockContext.start()
    client = clientOf(mock)
  })
  beforeEach(() => mock.reset())
  afterAll(() => mock.close())

  it('installs libraries on a running cluster', async () => {
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

  it('waits for a cluster that is down', async () => {
    await client.libraries.install({ cluster_id: DOWN, libraries: [{ jar: 'dbfs:/a.jar' }] })
    const before = await statuses(DOWN)
    await (await client.clusters.start({ cluster_id: DOWN })).wait()

    expect(before).toEqual(['PENDING'])
    expect(await statuses(DOWN)).toEqual(['INSTALLED'])
  })

  it('uninstalls libraries by a restart', async () => {
    const library = { pypi: { package: 'simplejson==3.19.2' } }
    await client.libraries.install({ cluster_id: SHARED, libraries: [{ jar: 'dbfs:/a.jar' }] })
    await client.libraries.uninstall({
      cluster_id: SHARED,
      libraries: [library, { jar: 'dbfs:/absent.jar' }],
    })

    const marked = await statuses(SHARED)
    await (await client.clusters.restart({ cluster_id: SHARED })).wait()

    expect(marked).toEqual(['INSTALLED', 'UNINSTALL_ON_RESTART'])
    expect(await all(client.libraries.clusterStatus({ cluster_id: SHARED }))).toMatchObject([
      { library: { jar: 'dbfs:/a.jar' }, status: 'INSTALLED' },
    ])
  })

  it('lists the libraries of all clusters', async () => {
    await client.libraries.install({ cluster_id: DOWN, libraries: [{ whl: 'dbfs:/a.whl' }] })

    expect(await all(client.libraries.allClusterStatuses())).toMatchObject([
      { cluster_id: SHARED },
      { cluster_id: DOWN, library_statuses: [{ status: 'PENDING' }] },
    ])
  })

  it('refuses what is not a library', async () => {
    for (const library of [{}, { jar: 'a', whl: 'b' }, { pypi: {} }, { maven: {} }])
      expect(
        await failureOf(client.libraries.install({ cluster_id: SHARED, libraries: [library as never] })),
      ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 })
  })
})
