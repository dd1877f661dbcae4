import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as S from '@aws-sdk/client-s3'
import { startServer } from '../server.ts'
const PROGRAM = join(import.meta.dirname, '../node_modules/s3rver/bin/s3rver.js')
export const keepsHost = true
export function start(directory) {
  return startServer(process.execPath, (port) => [PROGRAM, '-d', directory, '-a', '127.0.0.1', '--no-vhost-buckets', '-p', String(port)])
}
const md5 = (b) => createHash('md5').update(b).digest('hex')
export async function session(base, which, check) {
  const v = which === 'A' ? { b: 'media', keys: ['a b/one two.txt', 'a b/ü.txt', 'plain', 'x/y/z.json', 'x/y/w.json', 'x/q.bin'], tag: { k: 'v' }, pre: 'x/', big: 'mp/one.bin', max: 2, none: 'gone', meta: { mood: 'fine', 'two-words': 'a b' } }
    : { b: 'store-2', keys: ['in box/mail 1.eml', 'in box/é+&.eml', 'root.css', 'p/q/r.json', 'p/q/s.json', 'p/t.dat', 'zz'], tag: { colour: 'red', size: 'L' }, pre: 'p/', big: 'deep/er/two.bin', max: 3, none: 'void', meta: { owner: 'eve' } }
  const c = new S.S3Client({ region: 'us-east-1', credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }, endpoint: base, forcePathStyle: true, maxAttempts: 1 })
  const B = v.b
  const send = (name, input) => c.send(new S[`${name}Command`]({ Bucket: B, ...input }))
  const err = (name, status) => (r, e) => e?.name === name || e?.$metadata?.httpStatusCode === status
  const ok = (r, e) => !e
  const body = async (r) => Buffer.from(await r.Body.transformToByteArray())
  await check('no bucket', () => send('ListObjectsV2', {}), err('NoSuchBucket', 404))
  await check('create', () => send('CreateBucket', {}), ok)
  await check('create again', () => send('CreateBucket', {}), (r, e) => e || r)
  for (const Key of v.keys) await check('put', () => send('PutObject', { Key, Body: `text of ${Key}`, Metadata: v.meta, CacheControl: 'max-age=9', ContentDisposition: 'inline' }), (r) => r.ETag === `"${md5(`text of ${Key}`)}"`)
  for (const Key of v.keys) await check('get', async () => { const r = await send('GetObject', { Key }); return { ...r, text: String(await body(r)) } }, (r) => r.text === `text of ${Key}` && JSON.stringify(r.Metadata) === JSON.stringify(v.meta) && r.CacheControl === 'max-age=9')
  await check('empty', () => send('PutObject', { Key: 'empty', Body: '' }), ok)
  await check('get empty', async () => body(await send('GetObject', { Key: 'empty' })), (r) => r.length === 0)
  await check('list all', () => send('ListObjectsV2', {}), (r) => r.Contents.length === v.keys.length + 1)
  await check('list prefix delimiter', () => send('ListObjectsV2', { Prefix: v.pre, Delimiter: '/' }), (r) => r.Contents.length === 1 && r.CommonPrefixes.length === 1)
  await check('list start after', () => send('ListObjectsV2', { StartAfter: v.keys[2], FetchOwner: true }), (r) => r.Contents.every((x) => x.Key > v.keys[2]))
  await check('list encoded', () => send('ListObjectsV2', { EncodingType: 'url' }), (r) => r.Contents.length === v.keys.length + 1)
  await check('list v1', () => send('ListObjects', { Prefix: v.pre, MaxKeys: v.max }), (r) => r.Contents?.length >= 1)
  await check('list nothing', () => send('ListObjectsV2', { Prefix: 'none/' + B }), (r) => !r.Contents)
  let token
  for (let n = 0; n < 4; n++) { const r = await check('pages', () => send('ListObjectsV2', { MaxKeys: v.max, ContinuationToken: token }), (r) => r.Contents.length >= 1); token = r?.NextContinuationToken; if (!token) break }
  const K = v.keys[0]
  await check('head', () => send('HeadObject', { Key: K }), (r) => JSON.stringify(r.Metadata) === JSON.stringify(v.meta))
  await check('range from', async () => { const r = await send('GetObject', { Key: K, Range: 'bytes=3-' }); return [r.ContentRange, String(await body(r))] }, (r) => r[1] === `text of ${K}`.slice(3))
  await check('range end', async () => String(await body(await send('GetObject', { Key: K, Range: 'bytes=-4' }))), (r) => r === `text of ${K}`.slice(-4))
  await check('if modified', () => send('GetObject', { Key: K, IfModifiedSince: new Date(Date.now() + 5000) }), (r, e) => e?.$metadata?.httpStatusCode === 304)
  await check('if unmodified', () => send('GetObject', { Key: K, IfUnmodifiedSince: new Date(0) }), (r, e) => e?.$metadata?.httpStatusCode === 412 || r)
  await check('if none put', () => send('PutObject', { Key: K, Body: 'x', IfNoneMatch: '*' }), (r, e) => e?.$metadata?.httpStatusCode === 412 || r)
  await check('response type', async () => { const r = await send('GetObject', { Key: K, ResponseContentType: 'text/x-own', ResponseContentDisposition: 'attachment' }); await body(r); return r }, (r) => r.ContentType === 'text/x-own')
  await check('tagging', () => send('PutObjectTagging', { Key: K, Tagging: { TagSet: Object.entries(v.tag).map(([Key, Value]) => ({ Key, Value })) } }), (r, e) => r || e)
  await check('get tagging', () => send('GetObjectTagging', { Key: K }), (r, e) => r?.TagSet.length === Object.keys(v.tag).length || e)
  await check('acl', () => send('GetObjectAcl', { Key: K }), (r, e) => r || e)
  await check('bucket acl', () => send('GetBucketAcl', {}), (r, e) => r || e)
  await check('versioning', () => send('GetBucketVersioning', {}), (r, e) => r || e)
  await check('location', () => send('GetBucketLocation', {}), (r, e) => r || e)
  await check('cors none', () => send('GetBucketCors', {}), (r, e) => r || e)
  await check('website none', () => send('GetBucketWebsite', {}), (r, e) => r || e)
  await check('policy none', () => send('GetBucketPolicy', {}), (r, e) => r || e)
  await check('copy', () => send('CopyObject', { Key: `copy of ${v.keys[2]}`, CopySource: encodeURIComponent(`${B}/${v.keys[2]}`) }), (r) => r.CopyObjectResult.ETag === `"${md5(`text of ${v.keys[2]}`)}"`)
  await check('copy with meta', () => send('CopyObject', { Key: `meta of ${v.keys[2]}`, CopySource: `${B}/${v.keys[2]}`, MetadataDirective: 'REPLACE', Metadata: { fresh: which } }), ok)
  await check('head meta', () => send('HeadObject', { Key: `meta of ${v.keys[2]}` }), (r) => JSON.stringify(r.Metadata) === JSON.stringify({ fresh: which }))
  await check('copy missing', () => send('CopyObject', { Key: 'q', CopySource: `${B}/${v.none}` }), err('NoSuchKey', 404))
  const up = await check('begin', () => send('CreateMultipartUpload', { Key: v.big, Metadata: v.meta }), (r) => r.UploadId)
  const one = Buffer.alloc(5 << 20, which), two = Buffer.from(`end ${which}`)
  const parts = []
  for (const [i, Body] of [one, two].entries()) { const r = await check('part', () => send('UploadPart', { Key: v.big, UploadId: up?.UploadId, PartNumber: i + 1, Body }), (r) => r.ETag === `"${md5(Body)}"`); parts.push({ ETag: r?.ETag, PartNumber: i + 1 }) }
  await check('uploads', () => send('ListMultipartUploads', {}), (r, e) => r || e)
  await check('complete', () => send('CompleteMultipartUpload', { Key: v.big, UploadId: up?.UploadId, MultipartUpload: { Parts: parts } }), (r) => r.Key === v.big)
  await check('big range', async () => String(await body(await send('GetObject', { Key: v.big, Range: `bytes=${(5 << 20) - 2}-${(5 << 20) + 3}` }))), (r) => r === which + which + 'end ')
  await check('big head', () => send('HeadObject', { Key: v.big }), (r) => r.ContentLength === one.length + two.length && JSON.stringify(r.Metadata) === JSON.stringify(v.meta))
  const gone = await check('begin', () => send('CreateMultipartUpload', { Key: 'gone/up' }), (r) => r.UploadId)
  await check('abort', () => send('AbortMultipartUpload', { Key: 'gone/up', UploadId: gone?.UploadId }), (r, e) => r || e)
  await check('part of none', () => send('UploadPart', { Key: 'gone/up', UploadId: 'nothing' + which, PartNumber: 1, Body: 'x' }), (r, e) => e || r)
  await check('delete', () => send('DeleteObject', { Key: v.keys[1] }), ok)
  await check('delete none', () => send('DeleteObject', { Key: v.none }), ok)
  await check('get deleted', () => send('GetObject', { Key: v.keys[1] }), err('NoSuchKey', 404))
  await check('not empty', () => send('DeleteBucket', {}), err('BucketNotEmpty', 409))
  await check('delete no bucket', () => c.send(new S.DeleteBucketCommand({ Bucket: v.none })), err('NoSuchBucket', 404))
  await check('delete many quiet', () => send('DeleteObjects', { Delete: { Quiet: true, Objects: [{ Key: v.keys[2] }, { Key: 'not there' }] } }), ok)
  const left = await check('list left', () => send('ListObjectsV2', {}), (r) => r.Contents.length > 3)
  for (const { Key } of left?.Contents ?? []) await check('delete', () => send('DeleteObject', { Key }), ok)
  await check('list none', () => send('ListObjectsV2', {}), (r) => !r.Contents)
  await check('delete bucket', () => send('DeleteBucket', {}), ok)
  c.destroy()
}
