import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { FileAction, FileTree } from '../../src/engine/file-option.ts'
import type { Method } from '../../src/engine/route.ts'

const CALDAV = 'urn:ietf:params:xml:ns:caldav'
const tree: FileTree = {
  exists: ['/', '/*/'],
  checks: true,
  locks: true,
  properties: {
    '{DAV:}resourcetype': { '*': '', collection: '<collection/>' },
    '{DAV:}getetag': { '*': '{etag}' },
    '{DAV:}displayname': { collection: '{basename}' },
    '{DAV:}sync-token': { collection: 'urn:t:{state.hex.32}' },
    [`{${CALDAV}}calendar-data`]: { '*.ics': '{content}' },
  },
  prefixes: { 'DAV:': '', [CALDAV]: 'C' },
}
const ACTIONS: Readonly<Record<string, FileAction>> = {
  ...{ PUT: 'put', GET: 'get', DELETE: 'delete', MKCOL: 'make', COPY: 'copy', MOVE: 'move' },
  ...{ PROPFIND: 'properties', PROPPATCH: 'change', REPORT: 'report', LOCK: 'lock', UNLOCK: 'unlock' },
}

let base = ''
let close: () => Promise<void>
beforeEach(async () => {
  const api = new SimAPI({ seed: 1 })
  for (const [method, action] of Object.entries(ACTIONS))
    api.route(method as Method, '/dav/{path*}', { file: { action, tree } })
  const app = api.asWebApp()
  base = await app.listen({ port: 0, host: '127.0.0.1' })
  close = () => app.close()
  await dav('MKCOL', '/ada/work')
  await dav('PUT', '/ada/work/one.ics', event('one', 'Lunch', '05'))
  await dav('PUT', '/ada/work/two.ics', event('two', 'Talk', '06'))
})
afterEach(() => close())

async function dav(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const given: Record<string, string> = {
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/xml' }),
  }
  const to = given['destination'] === undefined ? {} : { destination: `${base}/dav${given['destination']}` }
  const answer = await fetch(`${base}/dav${path}`, {
    ...{ method, headers: { ...given, ...to } },
    ...(body !== undefined && { body }),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

function event(uid: string, title: string, day: string): string {
  const lines = [`UID:${uid}`, `DTSTART:202601${day}T090000Z`, 'DURATION:PT1H', `SUMMARY:${title}`]
  return ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
}

const hrefsIn = (text: string): string[] =>
  [...text.matchAll(/<href>\/dav\/ada([^<]*)<\/href>/g)].map(([, href = '']) => href)

const query = (filter: string): string =>
  `<c:calendar-query xmlns:c="${CALDAV}" xmlns="DAV:"><prop><getetag/></prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${filter}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
const sync = (token: string): string =>
  `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
const ASKING = '<propfind xmlns="DAV:"><prop><displayname/><x:color xmlns:x="urn:x"/></prop></propfind>'
const SETTING =
  '<propertyupdate xmlns="DAV:"><set><prop><x:color xmlns:x="urn:x">red &amp; blue</x:color></prop></set></propertyupdate>'

describe('a tree of files', () => {
  it.each([
    ['MKCOL', '/ada/work', {}, 405],
    ['MKCOL', '/ada/none/deep', {}, 409],
    ['MKCOL', '/bea/own', {}, 201],
    ['GET', '/ada/work', {}, 405],
    ['GET', '/ada/none.ics', {}, 404],
    ['PROPFIND', '/ada/none', {}, 404],
    ['COPY', '/ada/work', { destination: '/ada/copy' }, 201],
    ['COPY', '/ada/work/one.ics', { destination: '/ada/work/two.ics', overwrite: 'F' }, 412],
    ['MOVE', '/ada/work/one.ics', { destination: '/ada/work/two.ics' }, 204],
    ['MOVE', '/ada/work', { destination: '/ada/work/inside' }, 400],
    ['MOVE', '/ada/work/one.ics', { destination: '/none/deep/one.ics' }, 409],
    ['DELETE', '/ada/work/one.ics', { 'if-match': '"other"' }, 412],
  ])('%s %s %j: %i', async (method, path, headers, status) => {
    expect((await dav(method, path, undefined, headers)).status).toBe(status)
  })

  it('refuses what is not the calendar that it is called', async () => {
    expect((await dav('PUT', '/ada/work/bad.ics', 'nothing')).status).toBe(400)
    expect((await dav('GET', '/ada/work/bad.ics')).status).toBe(404)
  })

  it('moves and deletes collections with what is in them', async () => {
    await dav('MOVE', '/ada/work', undefined, { destination: '/ada/club' })
    expect((await dav('GET', '/ada/work/one.ics')).status).toBe(404)
    expect((await dav('GET', '/ada/club/one.ics')).text).toContain('Lunch')
    await dav('DELETE', '/ada/club')
    expect((await dav('GET', '/ada/club/one.ics')).status).toBe(404)
  })

  it('gives properties that clients set, and 404 for those that are not there', async () => {
    const before = await dav('PROPFIND', '/ada/work', ASKING, { depth: '0' })
    expect(before.text).toMatch(/<displayname>work<\/displayname>.*200 OK.*color.*404 Not Found/)
    expect((await dav('PROPPATCH', '/ada/work', SETTING)).status).toBe(207)
    const { text } = await dav('PROPFIND', '/ada/work', ASKING, { depth: '1' })
    expect(text).toContain('>red &amp; blue<')
    expect(hrefsIn(text)).toEqual(['/work/', '/work/one.ics', '/work/two.ics'])
  })

  it.each([
    ['', ['/work/one.ics', '/work/two.ics']],
    ['<c:time-range start="20260106T000000Z" end="20260107T000000Z"/>', ['/work/two.ics']],
    ['<c:time-range start="20260105T100000Z"/>', ['/work/two.ics']],
    ['<c:prop-filter name="SUMMARY"><c:text-match>LUNCH</c:text-match></c:prop-filter>', ['/work/one.ics']],
    [
      '<c:prop-filter name="LOCATION"><c:is-not-defined/></c:prop-filter>',
      ['/work/one.ics', '/work/two.ics'],
    ],
  ])('finds by the filter %s', async (filter, wanted) => {
    expect(hrefsIn((await dav('REPORT', '/ada/work', query(filter))).text)).toEqual(wanted)
  })

  it('gives what is at addresses', async () => {
    const hrefs = ['one', 'none'].map((name) => `<href>/dav/ada/work/${name}.ics</href>`).join('')
    const body = `<c:calendar-multiget xmlns:c="${CALDAV}" xmlns="DAV:"><prop><c:calendar-data/></prop>${hrefs}</c:calendar-multiget>`
    expect((await dav('REPORT', '/ada/work', body)).text).toMatch(
      /Lunch.*none\.ics<\/href><status>HTTP\/1\.1 404/s,
    )
  })

  it('gives what was changed since a token', async () => {
    const first = await dav('REPORT', '/ada/work', sync(''))
    expect(hrefsIn(first.text)).toHaveLength(2)
    const [, token = ''] = /<sync-token>([^<]+)</.exec(first.text) ?? []
    await dav('DELETE', '/ada/work/one.ics')
    await dav('PUT', '/ada/work/two.ics', event('two', 'Other', '06'))
    const { text } = await dav('REPORT', '/ada/work', sync(token))
    expect(text).toMatch(/two\.ics.*200 OK.*one\.ics<\/href><status>HTTP\/1\.1 404/)
    expect((await dav('REPORT', '/ada/work', sync('urn:t:unknown'))).status).toBe(403)
  })

  it('keeps what is locked from others', async () => {
    const { headers } = await dav('LOCK', '/ada/work')
    const token = headers.get('lock-token') ?? ''
    expect((await dav('DELETE', '/ada/work/one.ics')).status).toBe(423)
    expect((await dav('DELETE', '/ada/work/one.ics', undefined, { if: `(${token})` })).status).toBe(204)
    expect((await dav('UNLOCK', '/ada/work', undefined, { 'lock-token': token })).status).toBe(204)
    expect((await dav('DELETE', '/ada/work/two.ics')).status).toBe(204)
  })
})
