import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const idOf = (answers: readonly unknown[], index: number): string =>
  (answers[index] as { readonly id: string }).id

describe('SQL warehouses', () => {
  it('answers its contract', async () => {
    const unlucky = { id: '5ba11e7a5c0ffee3' }
    await expectGolden(
      'warehouses',
      ['SQL warehouses'],
      [
        { operation: 'warehouses.create', body: { name: 'new', cluster_size: 'Large', auto_stop_mins: 0 } },
        (answers) => ({ operation: 'warehouses.get', params: { id: idOf(answers, 0) } }),
        { operation: 'warehouses.create', note: 'of the same name', body: { name: 'new' } },
        { operation: 'warehouses.create', body: { name: 'other', cluster_size: 'Tiny' } },
        { operation: 'warehouses.list', query: { page_size: '2' } },
        (answers) => ({
          operation: 'warehouses.list',
          query: { page_size: '2', page_token: (answers[4] as { next_page_token: string }).next_page_token },
        }),
        { operation: 'warehouses.list', query: { page_token: 'forged' } },
        (answers) => ({
          operation: 'warehouses.edit',
          params: { id: idOf(answers, 0) },
          body: { name: 'edited', max_num_clusters: 2 },
        }),
        (answers) => ({ operation: 'warehouses.stop', params: { id: idOf(answers, 0) } }),
        (answers) => ({ operation: 'warehouses.get', params: { id: idOf(answers, 0) } }),
        { operation: 'warehouses.start', params: unlucky },
        { operation: 'warehouses.get', note: 'a start that failed', params: unlucky },
        { operation: 'warehouses.delete', params: unlucky },
        { operation: 'warehouses.get', params: unlucky },
      ],
    )
  })
})
