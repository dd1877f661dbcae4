import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const warehouse_id = '5ba11e7a5c0ffee1'
const idOf = (answers: readonly unknown[], index: number) => ({
  statement_id: (answers[index] as { readonly statement_id: string }).statement_id,
})
const run = (statement: string, request: object = {}) => ({
  operation: 'statements.execute',
  body: { warehouse_id, statement, ...request },
})

describe('SQL statements', () => {
  it('answers its contract', async () => {
    const orders = 'select * from main.sales.orders'
    await expectGolden(
      'statements',
      ['SQL statements'],
      [
        run(orders),
        (answers) => ({ operation: 'statements.get', params: idOf(answers, 0) }),
        (answers) => ({
          operation: 'statements.getResultChunk',
          params: { ...idOf(answers, 0), chunk_index: '1' },
        }),
        (answers) => ({
          operation: 'statements.getResultChunk',
          params: { ...idOf(answers, 0), chunk_index: '2' },
        }),
        run(`${orders} where id = :id`, { parameters: [{ name: 'id', value: '2', type: 'BIGINT' }] }),
        run('SELECT * FROM missing'),
        run('SELECT nothing that fits'),
        run('SELECT slow()', { wait_timeout: '5s' }),
        run('SELECT slow()', { wait_timeout: '5s', on_wait_timeout: 'CANCEL' }),
        run('SELECT slow()', { wait_timeout: '0s' }),
        (answers) => ({ operation: 'statements.cancel', params: idOf(answers, 9) }),
        (answers) => ({ operation: 'statements.get', params: idOf(answers, 9) }),
        (answers) => ({
          operation: 'statements.getResultChunk',
          params: { ...idOf(answers, 9), chunk_index: '0' },
        }),
        (answers) => ({ operation: 'statements.close', params: idOf(answers, 0) }),
        (answers) => ({ operation: 'statements.get', params: idOf(answers, 0) }),
        run(orders, { row_limit: 1 }),
        run(orders, { disposition: 'EXTERNAL_LINKS', format: 'CSV' }),
        (answers) => {
          const { result } = answers[16] as { result: { external_links: { external_link: string }[] } }
          const link = new URL(result.external_links[0]?.external_link ?? '')
          const [, , statement_id = '', chunk_index = ''] = link.pathname.split('/')
          return {
            operation: 'statements.externalLink',
            params: { statement_id, chunk_index },
            query: Object.fromEntries(link.searchParams),
          }
        },
        run(orders, { wait_timeout: '1s' }),
        run(orders, { format: 'CSV' }),
        run(orders, { warehouse_id: 'none' }),
        { operation: 'statements.get', params: { statement_id: 'none' } },
      ],
    )
  })
})
