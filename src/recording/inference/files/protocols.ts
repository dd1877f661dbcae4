import type { Condition } from '../../../routing/condition.ts'
import { pathOf, type Sample } from '../sample.ts'
import { AZURE } from './azure-blobs.ts'
import type { FileProtocol, FileRule } from './file-rule.ts'
import { type Bodies, plainRules } from './plain-files.ts'
import { S3 } from './s3-objects.ts'
import { isTree, treeRules } from './tree-rules.ts'

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

const PROTOCOLS: readonly FileProtocol[] = [S3, REGISTRY, TUS, AZURE, WEBDAV]
