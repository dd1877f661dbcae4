import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const spec = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }
const idOf = (answer: unknown): string => (answer as { cluster_id: string }).cluster_id

describe('clusters', () => {
  it('keeps the contract of every operation on clusters', async () => {
    await expectGolden(
      'clusters',
      ['Clusters'],
      [
        {
          operation: 'clusters.create',
          body: { ...spec, cluster_name: 'mine', autotermination_minutes: 30 },
        },
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        { operation: 'clusters.create', note: 'without a version', body: { num_workers: 1 } },
        {
          operation: 'clusters.create',
          note: 'out of stock',
          body: { ...spec, cluster_name: 'out of stock' },
        },
        (answers) => ({ operation: 'clusters.get', note: 'failed', query: { cluster_id: idOf(answers[3]) } }),
        { operation: 'clusters.get', note: 'a missing one', query: { cluster_id: 'nope' } },
        { operation: 'clusters.list', query: { page_size: '2', 'filter_by.is_pinned': 'True' } },
        { operation: 'clusters.list', note: 'a page of many', query: { page_size: '1' } },
        { operation: 'clusters.list', note: 'a bad token', query: { page_token: 'nope' } },
        (answers) => ({
          operation: 'clusters.edit',
          body: { ...spec, cluster_id: idOf(answers[0]), num_workers: 2 },
        }),
        (answers) => ({
          operation: 'clusters.update',
          note: 'while it restarts',
          body: { cluster_id: idOf(answers[0]), update_mask: 'num_workers', cluster: { num_workers: 3 } },
        }),
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({
          operation: 'clusters.update',
          body: { cluster_id: idOf(answers[0]), update_mask: 'num_workers', cluster: { num_workers: 3 } },
        }),
        (answers) => ({
          operation: 'clusters.restart',
          note: 'restarting',
          body: { cluster_id: idOf(answers[0]) },
        }),
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({
          operation: 'clusters.start',
          note: 'running',
          body: { cluster_id: idOf(answers[0]) },
        }),
        (answers) => ({
          operation: 'clusters.resize',
          body: { cluster_id: idOf(answers[0]), num_workers: 5 },
        }),
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.restart', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.pin', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.unpin', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.delete', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.get', query: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({
          operation: 'clusters.changeOwner',
          body: { cluster_id: idOf(answers[0]), owner_username: 'other@example.com' },
        }),
        (answers) => ({ operation: 'clusters.start', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.events', body: { cluster_id: idOf(answers[0]), page_size: 3 } }),
        (answers) => ({
          operation: 'clusters.events',
          note: 'by offset',
          body: { cluster_id: idOf(answers[0]), offset: 2, limit: 2, order: 'ASC' },
        }),
        (answers) => ({ operation: 'clusters.permanentDelete', body: { cluster_id: idOf(answers[0]) } }),
        (answers) => ({ operation: 'clusters.get', note: 'gone', query: { cluster_id: idOf(answers[0]) } }),
        { operation: 'clusters.listNodeTypes' },
        { operation: 'clusters.sparkVersions' },
        { operation: 'clusters.listZones' },
      ],
    )
  })
})
