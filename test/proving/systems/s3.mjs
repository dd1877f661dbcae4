import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  S3Client,
  CreateBucketCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  DeleteBucketCommand,
  PutObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  ListPartsCommand,
  CompleteMultipartUploadCommand,
  AbortMultipartUploadCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { startServer } from '../server.ts'

const PROGRAM = join(import.meta.dirname, '../node_modules/s3rver/bin/s3rver.js')

export const keepsHost = true

export function start(directory) {
  const args = ['-d', directory, '-a', '127.0.0.1', '--no-vhost-buckets']
  return startServer(process.execPath, (port) => [PROGRAM, ...args, '-p', String(port)])
}

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')

export async function session(base, which, check) {
  const v =
    which === 'A'
      ? {
          b: 'photos',
          none: 'nothere',
          texts: {
            'notes/a.txt': 'first note',
            'notes/b.txt': 'second note, longer',
            'readme.md': '# Read me',
            'img/one.bin': '\x00\x01\x02bytes',
          },
          meta: { owner: 'ada', kind: 'note' },
          change: 'changed text',
          copy: 'copies/a.txt',
          part: 'x',
          miss: 'notes/none.txt',
          big: 'big.bin',
        }
      : {
          b: 'archive',
          none: 'missing-one',
          texts: {
            'docs/q.txt': 'quarterly figures',
            'docs/r.txt': 'r and more',
            'index.html': '<h1>Index</h1>',
            'data/deep.bin': Buffer.from([0, 255, 254, 7]),
            'docs/s.txt': 's s s',
          },
          meta: { author: 'bob' },
          change: 'another',
          copy: 'dup.txt',
          part: 'y',
          miss: 'docs/no.txt',
          big: 'video/large.bin',
        }
  const cred = { region: 'us-east-1', credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } }
  const c = new S3Client({ ...cred, endpoint: base, forcePathStyle: true, maxAttempts: 1 })
  const keys = Object.keys(v.texts),
    [k0, k1] = keys,
    B = v.b
  const text = async (r) => Buffer.from(await r.Body.transformToByteArray())
  const err = (name, status) => (r, e) => e?.name === name || e?.$metadata?.httpStatusCode === status
  await check(
    'buckets',
    () => c.send(new ListBucketsCommand({})),
    (r) => (r.Buckets ?? []).length === 0,
  )
  await check('head no bucket', () => c.send(new HeadBucketCommand({ Bucket: v.none })), err('NotFound', 404))
  await check(
    'create bucket',
    () => c.send(new CreateBucketCommand({ Bucket: B })),
    (r) => r.$metadata.httpStatusCode === 200,
  )
  await check(
    'create bucket',
    () => c.send(new CreateBucketCommand({ Bucket: B + '2' })),
    (r) => r.$metadata.httpStatusCode === 200,
  )
  await check(
    'buckets',
    () => c.send(new ListBucketsCommand({})),
    (r) => r.Buckets.map((b) => b.Name).join() === `${B},${B}2`,
  )
  await check(
    'head bucket',
    () => c.send(new HeadBucketCommand({ Bucket: B })),
    (r) => r.$metadata.httpStatusCode === 200,
  )
  await check(
    'list empty',
    () => c.send(new ListObjectsV2Command({ Bucket: B })),
    (r) => r.KeyCount === 0 || !r.Contents,
  )
  for (const k of keys)
    await check(
      'put',
      () =>
        c.send(
          new PutObjectCommand({
            Bucket: B,
            Key: k,
            Body: v.texts[k],
            ContentType: k.endsWith('bin') ? 'application/octet-stream' : 'text/plain',
            Metadata: k === k0 ? v.meta : undefined,
          }),
        ),
      (r) => r.ETag === `"${md5(v.texts[k])}"`,
    )
  await check(
    'put in none',
    () => c.send(new PutObjectCommand({ Bucket: v.none, Key: 'a', Body: 'x' })),
    err('NoSuchBucket', 404),
  )
  for (const k of keys)
    await check(
      'get',
      async () => {
        const r = await c.send(new GetObjectCommand({ Bucket: B, Key: k }))
        return { ...r, b: await text(r) }
      },
      (r) =>
        r.b.equals(Buffer.from(v.texts[k])) &&
        r.ETag === `"${md5(v.texts[k])}"` &&
        r.ContentLength === Buffer.byteLength(v.texts[k]),
    )
  await check(
    'get meta',
    async () => {
      const r = await c.send(new GetObjectCommand({ Bucket: B, Key: k0 }))
      await text(r)
      return r
    },
    (r) => JSON.stringify(r.Metadata) === JSON.stringify(v.meta) && r.ContentType === 'text/plain',
  )
  await check(
    'head',
    () => c.send(new HeadObjectCommand({ Bucket: B, Key: k0 })),
    (r) =>
      r.ETag === `"${md5(v.texts[k0])}"` &&
      r.ContentLength === v.texts[k0].length &&
      JSON.stringify(r.Metadata) === JSON.stringify(v.meta),
  )
  await check(
    'head none',
    () => c.send(new HeadObjectCommand({ Bucket: B, Key: v.miss })),
    err('NotFound', 404),
  )
  await check(
    'get none',
    () => c.send(new GetObjectCommand({ Bucket: B, Key: v.miss })),
    (r, e) => e?.name === 'NoSuchKey' && (e.Key === undefined || e.Key === v.miss),
  )
  await check(
    'get in none',
    () => c.send(new GetObjectCommand({ Bucket: v.none, Key: 'a' })),
    err('NoSuchBucket', 404),
  )
  await check(
    'range',
    async () => text(await c.send(new GetObjectCommand({ Bucket: B, Key: k1, Range: 'bytes=1-4' }))),
    (r) => r.equals(Buffer.from(v.texts[k1]).subarray(1, 5)) || v.texts[k1].length < 5,
  )
  await check(
    'range bad',
    () => c.send(new GetObjectCommand({ Bucket: B, Key: k0, Range: 'bytes=9000-' })),
    err('InvalidRange', 416),
  )
  await check(
    'if none match',
    () => c.send(new GetObjectCommand({ Bucket: B, Key: k0, IfNoneMatch: `"${md5(v.texts[k0])}"` })),
    (r, e) => e?.$metadata?.httpStatusCode === 304,
  )
  await check(
    'if match',
    () => c.send(new GetObjectCommand({ Bucket: B, Key: k0, IfMatch: '"0123456789abcdef0123456789abcdef"' })),
    (r, e) => e?.$metadata?.httpStatusCode === 412 || r?.ETag,
  )
  await check(
    'list',
    () => c.send(new ListObjectsV2Command({ Bucket: B })),
    (r) =>
      r.Contents.map((x) => x.Key).join() === keys.toSorted().join() &&
      r.Contents.every(
        (x) => x.ETag === `"${md5(v.texts[x.Key])}"` && x.Size === Buffer.byteLength(v.texts[x.Key]),
      ),
  )
  await check(
    'list prefix',
    () => c.send(new ListObjectsV2Command({ Bucket: B, Prefix: k0.split('/')[0] + '/' })),
    (r) => r.Contents.length === keys.filter((k) => k.startsWith(k0.split('/')[0])).length,
  )
  await check(
    'list delimiter',
    () => c.send(new ListObjectsV2Command({ Bucket: B, Delimiter: '/' })),
    (r) => r.CommonPrefixes.length === 2 && r.Contents.length === 1,
  )
  await check(
    'list pages',
    async () => {
      let token,
        all = [],
        n = 0
      do {
        const r = await c.send(new ListObjectsV2Command({ Bucket: B, MaxKeys: 2, ContinuationToken: token }))
        all.push(...r.Contents.map((x) => x.Key))
        token = r.NextContinuationToken
        n++
      } while (token && n < 9)
      return { all, n }
    },
    (r) => r.all.join() === keys.toSorted().join() && r.n === Math.ceil(keys.length / 2),
  )
  await check(
    'list v1',
    () => c.send(new ListObjectsCommand({ Bucket: B })),
    (r) => r.Contents.length === keys.length,
  )
  await check(
    'list v1 marker',
    () => c.send(new ListObjectsCommand({ Bucket: B, Marker: keys.toSorted()[0], MaxKeys: 2 })),
    (r) => r.Contents.length === 2 && r.Contents[0].Key === keys.toSorted()[1],
  )
  await check(
    'list none',
    () => c.send(new ListObjectsV2Command({ Bucket: v.none })),
    err('NoSuchBucket', 404),
  )
  await check(
    'overwrite',
    () => c.send(new PutObjectCommand({ Bucket: B, Key: k1, Body: v.change, ContentType: 'text/markdown' })),
    (r) => r.ETag === `"${md5(v.change)}"`,
  )
  await check(
    'get changed',
    async () => text(await c.send(new GetObjectCommand({ Bucket: B, Key: k1 }))),
    (r) => r.toString() === v.change,
  )
  await check(
    'copy',
    () => c.send(new CopyObjectCommand({ Bucket: B, Key: v.copy, CopySource: `/${B}/${k0}` })),
    (r) => r.CopyObjectResult.ETag === `"${md5(v.texts[k0])}"`,
  )
  await check(
    'get copy',
    async () => text(await c.send(new GetObjectCommand({ Bucket: B, Key: v.copy }))),
    (r) => r.equals(Buffer.from(v.texts[k0])),
  )
  await check(
    'copy none',
    () => c.send(new CopyObjectCommand({ Bucket: B, Key: 'zz', CopySource: `/${B}/${v.miss}` })),
    err('NoSuchKey', 404),
  )
  const up = await check(
    'multipart',
    () =>
      c.send(new CreateMultipartUploadCommand({ Bucket: B, Key: v.big, ContentType: 'application/x-big' })),
    (r) => r.UploadId?.length > 5,
  )
  const p1 = Buffer.alloc(5 * 1024 * 1024, v.part),
    p2 = Buffer.from('the end ' + v.part),
    parts = []
  for (const [i, Body] of [p1, p2].entries()) {
    const r = await check(
      'part',
      () =>
        c.send(
          new UploadPartCommand({ Bucket: B, Key: v.big, UploadId: up?.UploadId, PartNumber: i + 1, Body }),
        ),
      (r) => r.ETag === `"${md5(Body)}"`,
    )
    parts.push({ ETag: r?.ETag, PartNumber: i + 1 })
  }
  await check(
    'list parts',
    () => c.send(new ListPartsCommand({ Bucket: B, Key: v.big, UploadId: up?.UploadId })),
    (r, e) => e || r.Parts.length === 2,
  )
  await check(
    'complete',
    () =>
      c.send(
        new CompleteMultipartUploadCommand({
          Bucket: B,
          Key: v.big,
          UploadId: up?.UploadId,
          MultipartUpload: { Parts: parts },
        }),
      ),
    (r) => r.Key === v.big && r.ETag,
  )
  await check(
    'get big',
    async () => text(await c.send(new GetObjectCommand({ Bucket: B, Key: v.big }))),
    (r) => r.equals(Buffer.concat([p1, p2])),
  )
  await check(
    'head big',
    () => c.send(new HeadObjectCommand({ Bucket: B, Key: v.big })),
    (r) => r.ContentLength === p1.length + p2.length && r.ContentType === 'application/x-big',
  )
  const up2 = await check(
    'multipart',
    () => c.send(new CreateMultipartUploadCommand({ Bucket: B, Key: 'given-up' })),
    (r) => r.UploadId?.length > 5,
  )
  await check(
    'abort',
    () => c.send(new AbortMultipartUploadCommand({ Bucket: B, Key: 'given-up', UploadId: up2?.UploadId })),
    (r, e) => e || r.$metadata.httpStatusCode === 204,
  )
  const url = await getSignedUrl(c, new GetObjectCommand({ Bucket: B, Key: k0 }), { expiresIn: 900 })
  await check(
    'presigned get',
    () => fetch(url).then(async (r) => [r.status, await r.text()]),
    (r) => r[0] === 200 && r[1] === String(v.texts[k0]),
  )
  const put = await getSignedUrl(c, new PutObjectCommand({ Bucket: B, Key: 'signed.txt' }), {
    expiresIn: 900,
  })
  await check(
    'presigned put',
    () => fetch(put, { method: 'PUT', body: 'by url ' + which }).then((r) => r.status),
    (r) => r === 200,
  )
  await check(
    'get signed',
    async () => text(await c.send(new GetObjectCommand({ Bucket: B, Key: 'signed.txt' }))),
    (r) => r.toString() === 'by url ' + which,
  )
  await check(
    'delete',
    () => c.send(new DeleteObjectCommand({ Bucket: B, Key: k0 })),
    (r) => r.$metadata.httpStatusCode === 204,
  )
  await check(
    'get deleted',
    () => c.send(new GetObjectCommand({ Bucket: B, Key: k0 })),
    err('NoSuchKey', 404),
  )
  await check(
    'delete full bucket',
    () => c.send(new DeleteBucketCommand({ Bucket: B })),
    err('BucketNotEmpty', 409),
  )
  const rest = [...keys.slice(1), v.copy, v.big, 'signed.txt']
  await check(
    'delete many',
    () => c.send(new DeleteObjectsCommand({ Bucket: B, Delete: { Objects: rest.map((Key) => ({ Key })) } })),
    (r) => r.Deleted.length === rest.length,
  )
  await check(
    'list left',
    () => c.send(new ListObjectsV2Command({ Bucket: B })),
    (r) => !r.Contents?.length,
  )
  await check(
    'delete bucket',
    () => c.send(new DeleteBucketCommand({ Bucket: B })),
    (r) => r.$metadata.httpStatusCode === 204,
  )
  await check('list deleted', () => c.send(new ListObjectsV2Command({ Bucket: B })), err('NoSuchBucket', 404))
  c.destroy()
}
