import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('workspace objects', () => {
  it('answers its contract', async () => {
    const home = '/Users/someone@example.com'
    await expectGolden(
      'workspace',
      ['Workspace'],
      [
        { operation: 'workspace.getStatus', query: { path: '/Shared' } },
        { operation: 'workspace.getStatus', query: { path: '/Shared/query' } },
        { operation: 'workspace.getStatus', query: { path: `${home}/notes.txt` } },
        { operation: 'workspace.getStatus', query: { path: '/none' } },
        { operation: 'workspace.getStatus', query: { path: 'relative' } },
        { operation: 'workspace.list', query: { path: home } },
        { operation: 'workspace.list', query: { path: '/none' } },
        { operation: 'workspace.mkdirs', body: { path: '/Shared/a/b' } },
        { operation: 'workspace.mkdirs', body: { path: '/Shared/query/b' } },
        {
          operation: 'workspace.import',
          body: { path: '/Shared/a/n', language: 'PYTHON', content: base64('print(1)\n') },
        },
        { operation: 'workspace.import', body: { path: '/Shared/a/n', language: 'PYTHON', content: '' } },
        { operation: 'workspace.import', note: 'no language', body: { path: '/Shared/a/m', content: '' } },
        { operation: 'workspace.import', body: { path: '/none/m', language: 'SQL', content: '' } },
        {
          operation: 'workspace.import',
          body: { path: '/Shared/query', format: 'RAW', overwrite: true, content: base64('text') },
        },
        { operation: 'workspace.export', query: { path: '/Shared/a/n' } },
        { operation: 'workspace.export', query: { path: '/Shared/a/n', format: 'JUPYTER' } },
        { operation: 'workspace.export', query: { path: `${home}/notes.txt`, direct_download: 'True' } },
        { operation: 'workspace.export', query: { path: '/none' } },
        { operation: 'workspace.delete', body: { path: '/Shared/a' } },
        { operation: 'workspace.delete', body: { path: '/Shared/a', recursive: true } },
        { operation: 'workspace.delete', body: { path: '/Shared/a' } },
        { operation: 'workspace.list', query: { path: '/Shared' } },
      ],
    )
  })
})
