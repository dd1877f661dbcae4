import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAVClient } from 'tsdav'
import { startServer } from '../server.ts'

export const needs = ['radicale']

/** Calendars and address books (CalDAV, RFC 4791; CardDAV, RFC 6352). */
export function start(directory) {
  const config = join(directory, 'config.ini')
  return startServer('radicale', (port) => {
    const sections = [
      ['server', `hosts=127.0.0.1:${port}`],
      ['auth', 'type=none'],
      ['rights', 'type=owner_only'],
      ['storage', `filesystem_folder=${join(directory, 'data')}`],
      ['logging', 'level=warning'],
    ]
    writeFileSync(config, sections.map(([name, line]) => `[${name}]\n${line}\n`).join(''))
    return ['--config', config]
  })
}

const SESSIONS = {
  A: {
    user: 'ada',
    calendar: { path: 'work', name: 'Work' },
    second: { path: 'private', name: 'Private things' },
    color: '#ff0000ff',
    events: [
      ['meet-1', 'Meeting', '05'],
      ['lunch-2', 'Lunch', '06'],
      ['review-3', 'Review', '07'],
      ['call-4', 'Call', '08'],
    ],
    todo: ['report-5', 'Write report'],
    cards: [
      ['bob-1', 'Bob Stone'],
      ['carol-2', 'Carol Lake'],
    ],
  },
  B: {
    user: 'ada',
    calendar: { path: 'club', name: 'Club & friends' },
    second: { path: 'garden', name: 'Garden' },
    color: '#00aa00ff',
    events: [
      ['6f1b2c3d-0a1e-4c55-9f10-6d6cf2b6a001', 'Match', '11'],
      ['train-8', 'Training', '14'],
      ['party-9', 'Party', '21'],
    ],
    todo: ['shoes-10', 'Buy shoes'],
    cards: [
      ['dan-5', 'Dan Field'],
      ['eve-6', 'Eve Hill'],
      ['fay-7', 'Fay Wood'],
    ],
  },
}

function lines(...all) {
  return [...all.flat(), ''].join('\r\n')
}

function event(uid, title, day, extra = []) {
  return lines(
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//proving//EN', 'BEGIN:VEVENT', `UID:${uid}`],
    [`DTSTAMP:202601${day}T080000Z`, `DTSTART:202601${day}T090000Z`, `DTEND:202601${day}T100000Z`],
    [`SUMMARY:${title}`, ...extra, 'END:VEVENT', 'END:VCALENDAR'],
  )
}

function todo(uid, title) {
  return lines(
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//proving//EN', 'BEGIN:VTODO', `UID:${uid}`],
    ['DTSTAMP:20260101T080000Z', `SUMMARY:${title}`, 'END:VTODO', 'END:VCALENDAR'],
  )
}

function card(uid, name) {
  return lines(['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `N:${name};;;;`, 'END:VCARD'])
}

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:r="urn:ietf:params:xml:ns:carddav"'

function onlyOf(component) {
  return {
    'comp-filter': {
      _attributes: { name: 'VCALENDAR' },
      'comp-filter': { _attributes: { name: component } },
    },
  }
}

export async function session(base, which, check) {
  const { user, calendar, second, color, events, todo: task, cards } = SESSIONS[which]
  const authorization = `Basic ${btoa(`${user}:secret`)}`
  const request = async (method, path, { body, ...headers } = {}) => {
    const hasBody = body !== undefined
    const own = {
      authorization,
      ...(hasBody && { 'content-type': 'application/xml' }),
      ...headers,
    }
    const answer = await fetch(`${base}${path}`, { method, headers: own, ...(hasBody && { body }) })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const client = (defaultAccountType) =>
    new DAVClient({
      ...{ serverUrl: base, credentials: { username: user, password: 'secret' } },
      ...{ authMethod: 'Basic', defaultAccountType },
    })
  const home = `/${user}`
  const path = `${home}/${calendar.path}/`
  const url = `${base}${path}`
  const at = (uid) => `${path}${uid}.ics`
  const own = { url }
  const caldav = client('caldav')
  const objectAt = (uid, etag, data) => ({ calendarObject: { url: `${base}${at(uid)}`, etag, data } })
  const [first, other, last] = events

  await check(
    'options',
    () => request('OPTIONS', '/'),
    ({ status, headers }) => status === 200 && headers.get('dav')?.includes('calendar-access'),
  )
  await check(
    'login',
    () => caldav.login(),
    () => caldav.account?.homeUrl?.endsWith(`${home}/`),
  )
  await check(
    'calendars',
    () => caldav.fetchCalendars(),
    (found) => found.length === 0,
  )
  await check(
    'make calendar',
    () =>
      caldav.makeCalendar({
        url,
        props: { displayname: calendar.name, 'c:calendar-description': `of ${user}` },
      }),
    ([answer]) => answer.status === 201,
  )
  await check(
    'make again',
    () => request('MKCALENDAR', path),
    ({ status }) => status === 409,
  )
  const oneCalendar = (name) => (found) => found.length === 1 && found[0].displayName === name
  await check('calendars', () => caldav.fetchCalendars(), oneCalendar(calendar.name))
  for (const [uid, title, day] of events)
    await check(
      'create',
      () =>
        caldav.createCalendarObject({
          calendar: own,
          filename: `${uid}.ics`,
          iCalString: event(uid, title, day),
        }),
      ({ status, headers }) => status === 201 && headers.get('etag'),
    )
  await check(
    'create todo',
    () => request('PUT', at(task[0]), { body: todo(...task), 'content-type': 'text/calendar' }),
    ({ status }) => status === 201,
  )
  await check(
    'create invalid',
    () => request('PUT', at('bad'), { body: 'nothing', 'content-type': 'text/calendar' }),
    ({ status }) => status === 400,
  )
  await check(
    'objects',
    () => caldav.fetchCalendarObjects({ calendar: own }),
    (found) =>
      found.length === events.length &&
      events.every(([, title]) => found.some((each) => each.data.includes(title))),
  )
  await check(
    'range',
    () =>
      caldav.fetchCalendarObjects({
        calendar: own,
        timeRange: { start: `2026-01-${first[2]}T00:00:00Z`, end: `2026-01-${other[2]}T00:00:00Z` },
      }),
    (found) => found.length === 1 && found[0].data.includes(first[1]),
  )
  await check(
    'todos',
    () =>
      caldav.calendarQuery({
        ...{ url, depth: '1', filters: onlyOf('VTODO') },
        props: { 'd:getetag': {}, 'c:calendar-data': {} },
      }),
    (found) => found.length === 1 && found[0].href.endsWith(at(task[0])),
  )
  for (const [uid] of events)
    await check(
      'get',
      () => request('GET', at(uid)),
      ({ status, text }) => status === 200 && text.includes(`UID:${uid}`),
    )
  await check(
    'get none',
    () => request('GET', at('none')),
    ({ status }) => status === 404,
  )
  const { headers: read } = (await check('head', () => request('HEAD', at(first[0])))) ?? {}
  const etag = read?.get('etag') ?? undefined
  await check(
    'update',
    () => caldav.updateCalendarObject(objectAt(first[0], etag, event(...first, ['LOCATION:Hall']))),
    ({ status }) => status === 201 || status === 204,
  )
  await check(
    'get updated',
    () => request('GET', at(first[0])),
    ({ status, text, headers }) =>
      status === 200 && text.includes('LOCATION:Hall') && headers.get('etag') !== etag,
  )
  await check(
    'update stale',
    () => caldav.updateCalendarObject(objectAt(first[0], etag, event(first[0], 'Stale', first[2]))),
    ({ status }) => status === 412,
  )
  await check(
    'create existing',
    () =>
      caldav.createCalendarObject({
        ...{ calendar: own, filename: `${other[0]}.ics` },
        iCalString: event(other[0], 'Again', other[2]),
      }),
    ({ status }) => status === 412,
  )
  const synced = await check(
    'sync',
    () => caldav.syncCollection({ url, props: { 'd:getetag': {} }, syncLevel: 1, syncToken: '' }),
    (found) => found.filter(({ href }) => href?.endsWith('.ics')).length === events.length + 1,
  )
  const token = synced?.[0]?.raw?.multistatus?.syncToken
  await check(
    'delete',
    () => caldav.deleteCalendarObject(objectAt(other[0])),
    ({ ok }) => ok,
  )
  await check(
    'get deleted',
    () => request('GET', at(other[0])),
    ({ status }) => status === 404,
  )
  await check(
    'delete again',
    () => request('DELETE', at(other[0])),
    ({ status }) => status === 404,
  )
  await check(
    'sync changes',
    () => caldav.syncCollection({ url, props: { 'd:getetag': {} }, syncLevel: 1, syncToken: token ?? '' }),
    (found) => found.length === 1 && found[0].href.endsWith(at(other[0])) && found[0].status === 404,
  )
  await check(
    'objects',
    () => caldav.fetchCalendarObjects({ calendar: own }),
    (found) =>
      found.length === events.length - 1 && !found.some((each) => each.data.includes(`UID:${other[0]}`)),
  )
  await check(
    'multiget',
    () =>
      caldav.calendarMultiGet({
        ...{ url, props: { 'd:getetag': {}, 'c:calendar-data': {} }, depth: '1' },
        objectUrls: [at(last[0]), at('none')],
      }),
    (found) => found.length === 2 && found.some(({ status }) => status === 404),
  )
  await check(
    'move',
    () => request('MOVE', at(last[0]), { destination: `${base}${at('moved')}` }),
    ({ status }) => status === 201,
  )
  await check(
    'get moved',
    () => request('GET', at('moved')),
    ({ status, text }) => status === 200 && text.includes(`UID:${last[0]}`),
  )
  await check(
    'rename',
    () =>
      request('PROPPATCH', path, {
        body: `<d:propertyupdate ${NAMESPACES} xmlns:i="http://apple.com/ns/ical/"><d:set><d:prop><d:displayname>New ${calendar.name.replace('&', '&amp;')}</d:displayname><i:calendar-color>${color}</i:calendar-color></d:prop></d:set></d:propertyupdate>`,
      }),
    ({ status }) => status === 207,
  )
  await check(
    'calendars',
    () => caldav.fetchCalendars(),
    (found) => oneCalendar(`New ${calendar.name}`)(found) && found[0].calendarColor === color,
  )
  await check(
    'properties',
    () =>
      request('PROPFIND', path, {
        depth: '0',
        body: `<d:propfind ${NAMESPACES}><d:prop><d:displayname/><d:resourcetype/><d:quota/></d:prop></d:propfind>`,
      }),
    ({ status, text }) => status === 207 && text.includes('404'),
  )
  await check(
    'make second',
    () => caldav.makeCalendar({ url: `${base}${home}/${second.path}/`, props: { displayname: second.name } }),
    ([answer]) => answer.status === 201,
  )
  await check(
    'calendars',
    () => caldav.fetchCalendars(),
    (found) => found.length === 2 && found.some(({ displayName }) => displayName === second.name),
  )
  await check(
    'no parent',
    () =>
      request('PUT', `${home}/nowhere/x.ics`, {
        body: event('x', 'X', '01'),
        'content-type': 'text/calendar',
      }),
    ({ status }) => status === 409,
  )
  await check(
    'other user',
    () => request('GET', '/somebody/calendar/'),
    ({ status }) => status === 403,
  )
  await check(
    'drop second',
    () => request('DELETE', `${home}/${second.path}/`),
    ({ status }) => status === 200 || status === 204,
  )
  await check('calendars', () => caldav.fetchCalendars(), oneCalendar(`New ${calendar.name}`))
  const carddav = client('carddav')
  await check(
    'card login',
    () => carddav.login(),
    () => carddav.account?.homeUrl?.endsWith(`${home}/`),
  )
  await check(
    'make book',
    () =>
      request('MKCOL', `${home}/people/`, {
        body: `<d:mkcol ${NAMESPACES}><d:set><d:prop><d:resourcetype><d:collection/><r:addressbook/></d:resourcetype><d:displayname>People of ${which}</d:displayname></d:prop></d:set></d:mkcol>`,
      }),
    ({ status }) => status === 201,
  )
  await check(
    'books',
    () => carddav.fetchAddressBooks(),
    (found) => found.length === 1 && found[0].displayName === `People of ${which}`,
  )
  const addressBook = { url: `${base}${home}/people/` }
  for (const [uid, name] of cards)
    await check(
      'create card',
      () => carddav.createVCard({ addressBook, filename: `${uid}.vcf`, vCardString: card(uid, name) }),
      ({ status }) => status === 201,
    )
  await check(
    'cards',
    () => carddav.fetchVCards({ addressBook }),
    (found) =>
      found.length === cards.length &&
      cards.every(([, name]) => found.some((each) => each.data.includes(name))),
  )
}
