import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const handle = (answers: readonly unknown[], index: number): number =>
  (answers[index] as { readonly handle: number }).handle

describe('DBFS', () => {
  it('answers its contract', async () => {
    await expectGolden(
      'dbfs',
      ['DBFS'],
      [
        { operation: 'dbfs.getStatus', query: { path: '/data/orders.csv' } },
        { operation: 'dbfs.getStatus', query: { path: '/data' } },
        { operation: 'dbfs.getStatus', query: { path: '/none' } },
        { operation: 'dbfs.getStatus', note: 'no path' },
        { operation: 'dbfs.list', query: { path: '/data' } },
        { operation: 'dbfs.list', query: { path: '/data/empty' } },
        { operation: 'dbfs.list', query: { path: '/none' } },
        { operation: 'dbfs.read', query: { path: '/data/orders.csv' } },
        { operation: 'dbfs.read', query: { path: '/data/orders.csv', offset: '3', length: '8' } },
        { operation: 'dbfs.read', query: { path: '/data' } },
        { operation: 'dbfs.read', query: { path: '/data/orders.csv', length: '1048577' } },
        { operation: 'dbfs.create', body: { path: '/new/file' } },
        (answers) => ({
          operation: 'dbfs.addBlock',
          body: { handle: handle(answers, 11), data: base64('block') },
        }),
        (answers) => ({ operation: 'dbfs.close', body: { handle: handle(answers, 11) } }),
        (answers) => ({ operation: 'dbfs.close', note: 'twice', body: { handle: handle(answers, 11) } }),
        { operation: 'dbfs.create', body: { path: '/new/file' } },
        { operation: 'dbfs.put', body: { path: '/new/put', contents: base64('put') } },
        { operation: 'dbfs.put', note: 'there already', body: { path: '/new/put', contents: '' } },
        { operation: 'dbfs.put', body: { path: '/x', contents: '***' } },
        { operation: 'dbfs.mkdirs', body: { path: '/new/a/b' } },
        { operation: 'dbfs.mkdirs', body: { path: '/new/put/b' } },
        { operation: 'dbfs.move', body: { source_path: '/new/a', destination_path: '/moved' } },
        { operation: 'dbfs.move', body: { source_path: '/new/a', destination_path: '/moved' } },
        { operation: 'dbfs.move', body: { source_path: '/moved', destination_path: '/data' } },
        { operation: 'dbfs.delete', body: { path: '/new' } },
        { operation: 'dbfs.delete', body: { path: '/new', recursive: true } },
        { operation: 'dbfs.delete', note: 'absent', body: { path: '/new' } },
        { operation: 'dbfs.list', query: { path: '/' } },
      ],
    )
  })
})
