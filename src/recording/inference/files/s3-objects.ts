import type { FileAction } from '../../../engine/file-option.ts'
import { entryOf } from '../../../grouping.ts'
import type { Condition } from '../../../routing/condition.ts'
import type { Sample } from '../sample.ts'
import type { FileProtocol, FileRule } from './file-rule.ts'

const has = (name: string): Condition => ({ query: name })

/** Queries that ask for what belongs to a bucket or object, besides its content. */
const SUBRESOURCES =
  /^(acl|accelerate|analytics|attributes|cors|encryption|intelligent-tiering|inventory|legal-hold|lifecycle|location|logging|metrics|notification|object-lock|ownershipControls|policy|policyStatus|publicAccessBlock|replication|requestPayment|restore|retention|select|tagging|torrent|versioning|versions|website)$/

const OBJECT_HEADERS = [
  ...['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'],
  'x-amz-meta-*',
]
const PARTS = { in: '/{bucket}?uploads', key: '{uploadId}' }
const CHECKED = [
  { given: '{header.content-md5}', is: '{md5.base64}' },
  { given: '{header.x-amz-checksum-sha256}', is: '{sha256.base64}' },
  { given: '{header.x-amz-checksum-crc32}', is: '{crc32.base64}' },
]
const IN_BUCKET = { in: '/{bucket}', key: '{key}', needs: '/{bucket}' }
const LISTED = { prefix: '{prefix}', delimiter: '{delimiter}', max: '{max-keys}' }

const RENEWED = { given: '{header.x-amz-metadata-directive}', is: 'REPLACE' }

/**
 * What belongs to a bucket or object is a document of its own where it was stored; else each that is there is answered
 * alike.
 */
function subresourceRules(samples: readonly Sample[]): readonly FileRule[] {
  const found = new Map<string, { readonly isOfObject: boolean; readonly name: string; isStored: boolean }>()
  const methods = new Map<string, Set<string>>()
  for (const { method, query, segments, status } of samples) {
    const name = Object.keys(query).find((each) => SUBRESOURCES.test(each))
    if (name === undefined || segments[0] === '') continue
    const isOfObject = segments.length > 1
    const known = entryOf(found, `${isOfObject} ${name}`, () => ({ isOfObject, name, isStored: false }))
    known.isStored ||= method === 'PUT' && status < 300
    entryOf(methods, `${isOfObject} ${name}`, () => new Set()).add(method)
  }
  return [...found].flatMap(([id, { isOfObject, name, isStored }]) => {
    const path = isOfObject ? '/{bucket}/{key*}' : '/{bucket}'
    const owner = isOfObject ? { in: '/{bucket}', key: '{key}' } : { in: '/', key: '{bucket}' }
    const needs = isOfObject ? '/{bucket}/{key}' : '/{bucket}'
    const place = { in: `${owner.in}?${name}`, key: owner.key, needs }
    return [...(methods.get(id) ?? [])].map((method): FileRule => {
      const common = { method, path, name, when: [has(name)] }
      const action = DOCUMENT[method]
      if (!isStored || action === undefined) return { ...common, options: { action: 'status', ...owner } }
      return { ...common, options: { action, ...place }, hasDefault: action === 'get' }
    })
  })
}

const DOCUMENT: Readonly<Record<string, FileAction>> = { PUT: 'put', GET: 'get', DELETE: 'delete' }

/** Object stores that speak S3, buckets in the path (Amazon S3 API, 2006-03-01). */
export const S3: FileProtocol = {
  isSpoken: (samples) =>
    samples.some(
      ({ headers, query, response }) =>
        'x-amz-content-sha256' in headers ||
        'X-Amz-Signature' in query ||
        (typeof response === 'string' && /<List(AllMyBuckets|Bucket)Result/.test(response)),
    ),
  isOther: ({ method, headers, segments }) =>
    method === 'POST' && segments.length === 1 && headers['content-type']?.startsWith('multipart') === true,
  rules: (samples) => [
    ...subresourceRules(samples),
    { method: 'GET', path: '/', options: { action: 'list', in: '/' } },
    { method: 'PUT', path: '/{bucket}', options: { action: 'put', in: '/', key: '{bucket}' } },
    { method: 'HEAD', path: '/{bucket}', options: { action: 'status', in: '/', key: '{bucket}' } },
    {
      ...{ method: 'DELETE', path: '/{bucket}' },
      options: { action: 'delete', in: '/', key: '{bucket}', empty: '/{bucket}' },
    },
    {
      ...{ method: 'GET', path: '/{bucket}' },
      options: {
        action: 'list',
        needs: '/{bucket}',
        in: '/{bucket}',
        list: { ...LISTED, after: ['{marker}'] },
      },
    },
    {
      ...{ method: 'GET', path: '/{bucket}', name: 'list-v2' },
      when: [{ query: 'list-type', equals: '2' }],
      options: {
        ...{ action: 'list', needs: '/{bucket}', in: '/{bucket}' },
        list: { ...LISTED, after: ['{continuation-token}', '{start-after}'] },
      },
    },
    {
      ...{ method: 'POST', path: '/{bucket}', name: 'delete-many', when: [has('delete')] },
      options: { action: 'delete', needs: '/{bucket}', in: '/{bucket}', keys: '/Delete/Object/Key' },
    },
    {
      ...{ method: 'PUT', path: '/{bucket}/{key*}' },
      options: { action: 'put', ...IN_BUCKET, keeps: OBJECT_HEADERS, verify: CHECKED },
    },
    {
      ...{ method: 'PUT', path: '/{bucket}/{key*}', name: 'copy', when: [{ header: 'x-amz-copy-source' }] },
      options: {
        action: 'put',
        ...IN_BUCKET,
        keeps: OBJECT_HEADERS,
        from: '{header.x-amz-copy-source}',
        renews: RENEWED,
      },
    },
    {
      ...{ method: 'PUT', path: '/{bucket}/{key*}', name: 'part', when: [has('uploadId')] },
      options: { action: 'part', ...IN_BUCKET, key: '{partNumber}', upload: PARTS, verify: CHECKED },
    },
    {
      ...{ method: 'GET', path: '/{bucket}/{key*}' },
      options: { action: 'get', ...IN_BUCKET, overrides: 'response-' },
    },
    { method: 'DELETE', path: '/{bucket}/{key*}', options: { action: 'delete', ...IN_BUCKET } },
    {
      ...{ method: 'GET', path: '/{bucket}', name: 'uploads', when: [has('uploads')] },
      options: { action: 'list', in: PARTS.in, needs: '/{bucket}', list: { prefix: '{prefix}' } },
    },
    {
      ...{ method: 'POST', path: '/{bucket}/{key*}', name: 'begin', when: [has('uploads')] },
      options: { action: 'begin', ...IN_BUCKET, upload: { in: PARTS.in }, keeps: OBJECT_HEADERS },
    },
    {
      ...{ method: 'GET', path: '/{bucket}/{key*}', name: 'parts', when: [has('uploadId')] },
      options: { action: 'parts', ...IN_BUCKET, upload: PARTS },
    },
    {
      ...{ method: 'POST', path: '/{bucket}/{key*}', name: 'complete', when: [has('uploadId')] },
      options: { action: 'complete', ...IN_BUCKET, upload: PARTS },
    },
    {
      ...{ method: 'DELETE', path: '/{bucket}/{key*}', name: 'abort', when: [has('uploadId')] },
      options: { action: 'abort', ...IN_BUCKET, upload: PARTS },
    },
  ],
}
