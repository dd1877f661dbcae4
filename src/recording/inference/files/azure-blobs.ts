import type { FileOptions } from '../../../engine/file-option.ts'
import type { Condition } from '../../../routing/condition.ts'
import type { Sample } from '../sample.ts'
import type { FileProtocol, FileRule } from './file-rule.ts'

const comp = (name: string): Condition => ({ query: 'comp', equals: name })
const CONTAINER: Condition = { query: 'restype', equals: 'container' }
const LISTED = { prefix: '{prefix}', delimiter: '{delimiter}', max: '{maxresults}', after: ['{marker}'] }
const DESCRIBED: Partial<FileOptions> = {
  keeps: ['x-ms-meta-*', 'x-ms-blob-type'],
  type: '{header.x-ms-blob-content-type}',
}

/** Blobs in containers (Azure Storage REST API, Blob service). */
export const AZURE: FileProtocol = {
  isSpoken: (samples) =>
    samples.some(
      ({ headers, query }) =>
        'x-ms-version' in headers && ('x-ms-blob-type' in headers || query['restype'] === 'container'),
    ),
  isOther: () => false,
  rules: azureRules,
}

// The account is in the host, or at the beginning of the path as emulators have it.
function azureRules(samples: readonly Sample[]): readonly FileRule[] {
  const isInPath = samples.some(
    ({ query, segments }) => query['restype'] === 'container' && segments.length === 2,
  )
  const root = isInPath ? '/{account}' : ''
  const [account, container] = [root || '/', `${root}/{container}`]
  const path = `${container}/{blob*}`
  const blob = { in: container, key: '{blob}', needs: container }
  const blocks = { in: `${container}?blocks`, key: '{blob}' }
  const own = { in: account, key: '{container}' }
  const put = (name: string, options: Partial<FileOptions>): FileRule => ({
    ...{ method: 'PUT', path, name, when: [comp(name)] },
    options: { action: 'put', ...blob, ...options },
  })
  return [
    {
      ...{ method: 'GET', path: account, name: 'list', when: [comp('list')] },
      options: { action: 'list', in: account, list: LISTED },
    },
    { method: 'PUT', path: container, options: { action: 'put', ...own, keeps: ['x-ms-meta-*'] } },
    { method: 'GET', path: container, when: [CONTAINER], options: { action: 'status', ...own } },
    { method: 'DELETE', path: container, options: { action: 'delete', ...own } },
    {
      ...{ method: 'GET', path: container, name: 'list', when: [CONTAINER, comp('list')] },
      options: { action: 'list', in: container, needs: container, list: LISTED },
    },
    { method: 'PUT', path, options: { action: 'put', ...blob, ...DESCRIBED } },
    put('metadata', { from: path.replace('*', ''), keeps: DESCRIBED.keeps ?? [] }),
    put('block', { action: 'part', key: '{blockid}', upload: blocks, begins: true }),
    put('blocklist', { action: 'complete', upload: blocks, ...DESCRIBED }),
    put('appendblock', { action: 'append' }),
    {
      ...{ method: 'GET', path, name: 'blocklist', when: [comp('blocklist')] },
      options: { action: 'parts', ...blob, upload: blocks },
    },
    { method: 'GET', path, options: { action: 'get', ...blob } },
    { method: 'DELETE', path, options: { action: 'delete', ...blob } },
  ]
}
