import type { FileAction } from '../../../engine/file-option.ts'
import { entryOf } from '../../../grouping.ts'
import type { Condition } from '../../../routing/condition.ts'
import { pathOf, type Sample } from '../sample.ts'
import type { FileRule } from './file-rule.ts'
import { type Bodies, plainRules } from './plain-files.ts'
import { isTree, treeRules } from './tree-rules.ts'

/** A way in which clients store files. */
interface FileProtocol {
  /** Whether it is spoken; judged by all exchanges with one server. */
  isSpoken(samples: readonly Sample[]): boolean
  /** Whether a request is for something that the rules do not speak of. */
  isOther(sample: Sample): boolean
  rules(samples: readonly Sample[]): readonly FileRule[]
}

/** The rules for how files are stored at a server; none where no way is known. */
export function fileRulesOf(
  samples: readonly Sample[],
  bodies: (index: number) => Bodies,
): {
  readonly rules: readonly FileRule[]
  readonly isOther: (sample: Sample) => boolean
} {
  const spoken = PROTOCOLS.find((protocol) => protocol.isSpoken(samples))
  if (spoken !== undefined) return { rules: spoken.rules(samples), isOther: (each) => spoken.isOther(each) }
  return { rules: plainRules(samples, bodies), isOther: () => false }
}

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
const S3: FileProtocol = {
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

const BLOBS = { in: '/v2/{name}/blobs', key: '{digest}' }
const IN_MANIFESTS = { in: '/v2/{name}/manifests' }
const MANIFESTS = { ...IN_MANIFESTS, key: '{reference}' }
const BY_HASH = { ...IN_MANIFESTS, key: 'sha256:{hash}' }
const ACCEPTED = [{ given: '{type}', is: '{accepted}', outcome: 'unacceptable' as const }]
const SESSION = { in: '/v2/{name}/blobs/uploads', key: '{session}' }
const SAME_DIGEST = [{ given: '{digest}', is: 'sha256:{sha256}' }]
const BY_DIGEST = [{ key: 'sha256:{sha256}' }]
const IS_JSON = [{ given: 'true', is: '{isJson}', outcome: 'malformed' as const }]
const NAMES = '/v2/_repositories'

/** Registries of images and other artefacts (OCI Distribution Specification 1.1). */
const REGISTRY: FileProtocol = {
  isSpoken: (samples) =>
    samples.some((sample) => /^\/v2\/.+\/(blobs|manifests)\/[^/]+/.test(pathOf(sample).replace('%3A', ':'))),
  isOther: ({ segments }) => segments.at(-2) === 'referrers',
  rules: () => [
    { method: 'GET', path: '/v2/{name*}/blobs/{digest}', options: { action: 'get', ...BLOBS } },
    { method: 'DELETE', path: '/v2/{name*}/blobs/{digest}', options: { action: 'delete', ...BLOBS } },
    {
      ...{ method: 'POST', path: '/v2/{name*}/blobs/uploads' },
      options: {
        ...{ action: 'begin', in: BLOBS.in, key: '{mount}', upload: { in: SESSION.in } },
        from: '/v2/{from}/blobs/{mount}',
      },
    },
    {
      ...{ method: 'POST', path: '/v2/{name*}/blobs/uploads', name: 'whole', when: [has('digest')] },
      options: { action: 'put', ...BLOBS, verify: SAME_DIGEST },
    },
    {
      ...{ method: 'PATCH', path: '/v2/{name*}/blobs/uploads/{session}' },
      options: { action: 'append', ...SESSION },
    },
    {
      ...{ method: 'GET', path: '/v2/{name*}/blobs/uploads/{session}' },
      options: { action: 'status', ...SESSION },
    },
    {
      ...{ method: 'DELETE', path: '/v2/{name*}/blobs/uploads/{session}' },
      options: { action: 'abort', ...SESSION },
    },
    {
      ...{ method: 'PUT', path: '/v2/{name*}/blobs/uploads/{session}' },
      options: { action: 'complete', ...BLOBS, upload: SESSION, verify: SAME_DIGEST },
    },
    // Servers say other things of tags than of digests.
    ...[MANIFESTS, BY_HASH].flatMap((place): FileRule[] => {
      const path = `/v2/{name*}/manifests/${place.key}`
      const verify = place === BY_HASH ? [...IS_JSON, { given: '{hash}', is: '{sha256}' }] : IS_JSON
      return [
        { method: 'GET', path, options: { action: 'get', ...place, verify: ACCEPTED } },
        {
          ...{ method: 'PUT', path },
          options: {
            ...{ action: 'put', ...place, verify },
            also: [...BY_DIGEST, { in: NAMES, key: '{name}' }],
          },
        },
        { method: 'DELETE', path, options: { action: 'delete', ...place, also: BY_DIGEST } },
      ]
    }),
    {
      ...{ method: 'GET', path: '/v2/{name*}/tags/list' },
      options: {
        ...{ action: 'list', needs: `${NAMES}/{name}`, in: MANIFESTS.in },
        list: { omit: 'sha256:', max: '{n}', after: ['{last}'] },
      },
    },
    {
      ...{ method: 'GET', path: '/v2/_catalog' },
      options: { action: 'list', in: NAMES, list: { max: '{n}', after: ['{last}'] } },
    },
  ],
}

/** Resumable uploads (tus 1.0.0). */
const TUS: FileProtocol = {
  isSpoken: (samples) => samples.some(({ headers }) => 'tus-resumable' in headers),
  isOther: () => false,
  rules(samples) {
    const made = samples.filter(
      ({ method, status, responseHeaders }) =>
        method === 'POST' && status === 201 && responseHeaders['location'] !== undefined,
    )
    const places = made.map((sample) => {
      const { pathname } = new URL(
        sample.responseHeaders['location'] ?? '',
        `${sample.origin}${pathOf(sample)}`,
      )
      return { from: pathOf(sample), to: pathname.replace(/\/[^/]*$/, '') }
    })
    const keeps = ['upload-length', 'upload-metadata', 'upload-defer-length', 'upload-concat']
    const verify = [
      {
        ...{ given: '{header.content-type}', is: 'application/offset+octet-stream' },
        outcome: 'unsupported' as const,
      },
      { given: '{header.upload-offset}', is: '{offset}' },
    ]
    return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()].flatMap(
      ({ from, to }): readonly FileRule[] => {
        const place = { in: to, key: '{id}' }
        return [
          {
            method: 'POST',
            path: from,
            options: { action: 'begin', in: to, keeps, type: '{metadata.filetype}' },
          },
          { method: 'HEAD', path: `${to}/{id}`, options: { action: 'status', ...place } },
          { method: 'PATCH', path: `${to}/{id}`, options: { action: 'append', ...place, verify } },
          { method: 'DELETE', path: `${to}/{id}`, options: { action: 'abort', ...place } },
          { method: 'GET', path: `${to}/{id}`, options: { action: 'get', ...place } },
        ]
      },
    )
  },
}

/** Files and collections with properties, calendars and address books among them. */
const WEBDAV: FileProtocol = {
  isSpoken: isTree,
  // What leads elsewhere, or refuses who asks, is not about what is stored.
  isOther: (sample) =>
    sample.status === 401 ||
    (sample.status >= 300 && sample.status < 400 && sample.status !== 304 && !addsSlash(sample)),
  rules: treeRules,
}

// A collection may be at its path with a slash alone.
function addsSlash(sample: Sample): boolean {
  const { location } = sample.responseHeaders
  return location !== undefined && new URL(location, sample.origin).pathname === `${pathOf(sample)}/`
}

const PROTOCOLS: readonly FileProtocol[] = [S3, REGISTRY, TUS, WEBDAV]
