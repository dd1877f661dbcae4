import { describe, expect, it } from 'vitest'
import type { ReplayOptions } from '../../src/recording/replay/replay-options.ts'
import { temporaryDirectory, writeRecording, type Parts } from '../recording/samples.ts'
import { ask, startReplay } from './replay-kit.ts'

const HOST = 'http://api.test'
const OLD = 'Mon, 05 Jan 2026 10:00:00 GMT'
const NEW = 'Tue, 06 Jan 2026 10:00:00 GMT'
const DIGITS = '0123456789'

const get = (path: string, ...rest: readonly Omit<Parts, 'url'>[]): Parts =>
  Object.assign({ url: `${HOST}${path}` }, ...rest) as Parts
const sent = (headers: Record<string, string>): Omit<Parts, 'url'> => ({
  requestHeaders: Object.entries(headers),
})
const text = (responseBody: string, headers: Record<string, string> = {}): Omit<Parts, 'url'> => ({
  responseHeaders: Object.entries({ 'content-type': 'text/plain', ...headers }),
  responseBody,
})
const empty = (status: number, headers: Record<string, string> = {}): Omit<Parts, 'url'> => ({
  status,
  responseHeaders: Object.entries(headers),
})

/** A recording of all cases; each has a path of its own. */
const RECORDED: readonly Parts[] = [
  get('/tag', text('one', { etag: '"v1"', 'last-modified': OLD, 'x-kept': 'yes' })),
  get('/weak', text('one', { etag: 'W/"v1"' })),
  get('/date', text('one', { 'last-modified': OLD })),
  get('/plain', text('one')),
  get('/gone', empty(404)),
  get('/exact', text('one', { etag: '"v1"' })),
  get('/exact', sent({ 'If-None-Match': '"v1"' }), text('two', { etag: '"v2"' })),
  get('/polled', sent({ 'If-None-Match': '"v1", "v0"' }), empty(304, { etag: '"v1"' })),
  get('/untold', sent({ 'If-Modified-Since': OLD }), empty(304)),
  get('/digits', text(DIGITS, { etag: '"d"', 'last-modified': OLD })),
  get('/no-ranges', text(DIGITS, { 'accept-ranges': 'none' })),
  get(
    '/part',
    sent({ Range: 'bytes=2-5' }),
    { status: 206 },
    text('2345', { 'content-range': 'bytes 2-5/10' }),
  ),
  get(
    '/video',
    sent({ Range: 'bytes=0-' }),
    { status: 206 },
    text(DIGITS, { 'content-range': 'bytes 0-9/10' }),
  ),
  get('/json', text('{"a":12345}', { 'content-type': 'application/json' })),
  get(
    '/json',
    sent({ Range: 'bytes=1-4' }),
    { status: 206 },
    text('"a":', { 'content-type': 'application/json', 'content-range': 'bytes 1-4/11' }),
  ),
  get('/long', text('x'.repeat(1_200_000) + DIGITS)),
  get('/doc', text('one', { etag: '"v1"', 'last-modified': OLD })),
  get('/doc', { method: 'PUT' }, sent({ 'If-Match': '"v0"', 'content-type': 'text/plain' }), empty(204)),
  get('/doc', { method: 'PUT' }, sent({ 'content-type': 'text/plain' }), empty(200)),
]

interface Case {
  readonly when: string
  readonly path: string
  readonly method?: 'HEAD' | 'PUT'
  readonly headers?: Record<string, string>
  readonly gets: readonly [status: number, body: string, headers?: Record<string, string | undefined>]
}

const CASES: readonly Case[] = [
  {
    when: 'a tag of a list is the recorded one',
    path: '/tag',
    headers: { 'if-none-match': '"v0", "v1"' },
    gets: [304, '', { etag: '"v1"', 'x-kept': 'yes', 'content-type': undefined, 'last-modified': undefined }],
  },
  { when: 'any state will do', path: '/tag', headers: { 'if-none-match': '*' }, gets: [304, ''] },
  {
    when: 'a weak tag is the recorded one',
    path: '/weak',
    headers: { 'if-none-match': '"v1"' },
    gets: [304, ''],
  },
  {
    when: 'another tag is named, whatever the date',
    path: '/tag',
    headers: { 'if-none-match': '"v2"', 'if-modified-since': NEW },
    gets: [200, 'one'],
  },
  {
    when: 'it is as old',
    path: '/date',
    headers: { 'if-modified-since': OLD },
    gets: [304, '', { 'last-modified': OLD }],
  },
  {
    when: 'it is newer',
    path: '/date',
    headers: { 'if-modified-since': 'Sun, 04 Jan 2026 10:00:00 GMT' },
    gets: [200, 'one'],
  },
  {
    when: 'that part was recorded without its body, since a part of JSON cannot be checked for secrets',
    path: '/json',
    headers: { range: 'bytes=1-4' },
    gets: [206, '"a":', { 'content-range': 'bytes 1-4/11' }],
  },
  { when: 'the date is none', path: '/date', headers: { 'if-modified-since': 'soon' }, gets: [200, 'one'] },
  {
    when: 'nothing distinguishes its states',
    path: '/plain',
    headers: { 'if-none-match': '"v1"' },
    gets: [200, 'one'],
  },
  { when: 'it is not there', path: '/gone', headers: { 'if-none-match': '"v1"' }, gets: [404, ''] },
  {
    when: 'that very request was recorded',
    path: '/exact',
    headers: { 'if-none-match': '"v1"' },
    gets: [200, 'two'],
  },
  {
    when: 'a 304 holds for one of its tags',
    path: '/polled',
    headers: { 'if-none-match': '"v1"' },
    gets: [304, ''],
  },
  {
    when: 'a 304 says nothing of a tag',
    path: '/polled',
    headers: { 'if-none-match': '"v9"' },
    gets: [404, 'miss'],
  },
  { when: 'only a 304 was recorded', path: '/polled', gets: [404, 'miss'] },
  {
    when: 'a 304 holds for later dates',
    path: '/untold',
    headers: { 'if-modified-since': NEW },
    gets: [304, ''],
  },
  {
    when: 'a read has another state in mind',
    path: '/tag',
    headers: { 'if-match': '"v2"' },
    gets: [412, ''],
  },
  {
    when: 'a read is too late',
    path: '/date',
    headers: { 'if-unmodified-since': 'Sun, 04 Jan 2026 10:00:00 GMT' },
    gets: [412, ''],
  },

  {
    when: 'a range is wanted',
    path: '/digits',
    headers: { range: 'bytes=2-5' },
    gets: [206, '2345', { 'content-range': 'bytes 2-5/10', 'content-length': '4', etag: '"d"' }],
  },
  {
    when: 'the rest is wanted',
    path: '/digits',
    headers: { range: 'bytes=7-' },
    gets: [206, '789', { 'content-range': 'bytes 7-9/10' }],
  },
  { when: 'the end is wanted', path: '/digits', headers: { range: 'bytes=-3' }, gets: [206, '789'] },
  {
    when: 'more than all is wanted',
    path: '/digits',
    headers: { range: 'bytes=-30' },
    gets: [206, DIGITS, { 'content-range': 'bytes 0-9/10' }],
  },
  {
    when: 'what is wanted is behind the end',
    path: '/digits',
    headers: { range: 'bytes=10-' },
    gets: [416, '', { 'content-range': 'bytes */10', 'content-type': undefined }],
  },
  {
    when: 'several ranges are wanted',
    path: '/digits',
    headers: { range: 'bytes=0-1,3-4' },
    gets: [200, DIGITS],
  },
  { when: 'a range is malformed', path: '/digits', headers: { range: 'bytes=5-2' }, gets: [200, DIGITS] },
  {
    when: 'a range is of that state',
    path: '/digits',
    headers: { range: 'bytes=0-1', 'if-range': '"d"' },
    gets: [206, '01'],
  },
  {
    when: 'a range is of that date',
    path: '/digits',
    headers: { range: 'bytes=0-1', 'if-range': OLD },
    gets: [206, '01'],
  },
  {
    when: 'a range is of another state',
    path: '/digits',
    headers: { range: 'bytes=0-1', 'if-range': '"e"' },
    gets: [200, DIGITS],
  },
  { when: 'there are no ranges', path: '/no-ranges', headers: { range: 'bytes=0-1' }, gets: [200, DIGITS] },
  { when: 'that range was recorded', path: '/part', headers: { range: 'bytes=2-5' }, gets: [206, '2345'] },
  {
    when: 'a part of a recorded range is wanted',
    path: '/part',
    headers: { range: 'bytes=3-4' },
    gets: [206, '34', { 'content-range': 'bytes 3-4/10' }],
  },
  {
    when: 'more than the recorded range is wanted',
    path: '/part',
    headers: { range: 'bytes=3-6' },
    gets: [404, 'miss'],
  },
  { when: 'all is wanted, and a part was recorded', path: '/part', gets: [404, 'miss'] },
  {
    when: 'all was recorded as a range',
    path: '/video',
    gets: [200, DIGITS, { 'content-range': undefined }],
  },
  {
    when: 'the range is of a body in a file',
    path: '/long',
    headers: { range: 'bytes=1200003-1200005' },
    gets: [206, '345'],
  },

  {
    when: 'a GET was recorded',
    path: '/digits',
    method: 'HEAD',
    gets: [200, '', { 'content-length': '10', etag: '"d"' }],
  },
  {
    when: 'it is not newer than the recorded GET',
    path: '/digits',
    method: 'HEAD',
    headers: { 'if-none-match': '"d"' },
    gets: [304, ''],
  },
  {
    when: 'a range is wanted of a HEAD',
    path: '/digits',
    method: 'HEAD',
    headers: { range: 'bytes=0-1' },
    gets: [200, '', { 'content-length': '10' }],
  },

  {
    when: 'the write was recorded with its condition',
    path: '/doc',
    method: 'PUT',
    headers: { 'if-match': '"v0"' },
    gets: [204, ''],
  },
  {
    when: 'the write has the state right',
    path: '/doc',
    method: 'PUT',
    headers: { 'if-match': '"v1"' },
    gets: [200, ''],
  },
  {
    when: 'the write has another state in mind',
    path: '/doc',
    method: 'PUT',
    headers: { 'if-match': '"v7"' },
    gets: [412, '', { etag: '"v1"' }],
  },
  {
    when: 'the write is only to make what is there',
    path: '/doc',
    method: 'PUT',
    headers: { 'if-none-match': '*' },
    gets: [412, ''],
  },
  { when: 'the write has no condition', path: '/doc', method: 'PUT', gets: [200, ''] },
]

describe('a recording of which conditions are requested', () => {
  const start = async (replay: ReplayOptions = {}): Promise<string> => {
    const recording = await writeRecording(await temporaryDirectory(), ...RECORDED)
    return (await startReplay(recording, replay)).url
  }

  it('answers as RFC 9110 has it', async () => {
    const url = await start()
    for (const [at, { when, path, method = 'GET', headers = {}, gets }] of CASES.entries()) {
      const own = {
        ...headers,
        'x-sim-session': `case-${at}`,
        ...(method === 'PUT' && { 'content-type': 'text/plain' }),
      }
      const seen = await ask(url, path, { method, headers: own })
      const [status, body, wanted = {}] = gets
      const said = seen.text.includes('SIM_NOT_RECORDED') ? 'miss' : seen.text
      const shown = Object.fromEntries(Object.keys(wanted).map((name) => [name, seen.headers[name]]))
      expect([when, seen.status, said, shown]).toEqual([when, status, body, wanted])
    }
  })

  it('keeps to the letter of a condition that is named as one to match', async () => {
    const url = await start({ matchHeaders: ['range'] })
    expect((await ask(url, '/digits', { headers: { range: 'bytes=0-1' } })).status).toBe(404)
    expect((await ask(url, '/part', { headers: { range: 'bytes=2-5' } })).text).toBe('2345')
  })
})
