import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['prometheus-alertmanager']

const LEARNED = 'what a POST of /silences stores is read at /silence/{id}, and alerts are posted in lists'
export const short = { seen: LEARNED, 'held out': LEARNED, checks: LEARNED, 'by rule': LEARNED }

export function start(directory) {
  const file = join(directory, 'alertmanager.yml')
  const route = 'route: { receiver: team, group_by: [alertname] }'
  writeFileSync(file, `${route}\nreceivers: [{ name: team }, { name: other }]\n`)
  return startServer('prometheus-alertmanager', (port) => [
    ...[`--config.file=${file}`, `--storage.path=${join(directory, 'data')}`, '--cluster.listen-address='],
    `--web.listen-address=127.0.0.1:${port}`,
  ])
}

export async function session(base, which, check) {
  const c = jsonClient(base + '/api/v2')
  const v =
    which === 'A'
      ? {
          names: ['HighLoad', 'DiskFull', 'Down'],
          sev: 'critical',
          who: 'ann',
          no: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        }
      : {
          names: ['Slow', 'MemoryLow'],
          sev: 'warning',
          who: 'bob',
          no: '7f2504e0-4f89-41d3-9a0c-0305e82c33aa',
        }
  await check(
    'status',
    () => c('GET', '/status'),
    (r) => r.s === 200 && r.b.versionInfo.version,
  )
  await check(
    'receivers',
    () => c('GET', '/receivers'),
    (r) => r.b.length === 2 && r.b.some((x) => x.name === 'team'),
  )
  await check(
    'no alerts',
    () => c('GET', '/alerts'),
    (r) => r.s === 200 && r.b.length === 0,
  )
  for (const n of v.names)
    await check(
      'post alert',
      () =>
        c('POST', '/alerts', [
          {
            labels: { alertname: n, severity: v.sev, instance: 'web-1' },
            annotations: { summary: `${n} on web-1` },
            generatorURL: 'http://prom.example/graph',
          },
        ]),
      (r) => r.s === 200,
    )
  await check(
    'bad alert',
    () => c('POST', '/alerts', [{ annotations: {} }]),
    (r) => r.s >= 400,
  )
  await check(
    'list alerts',
    () => c('GET', '/alerts'),
    (r) =>
      r.s === 200 &&
      r.b.length === v.names.length &&
      v.names.every((n) => r.b.some((a) => a.labels.alertname === n)),
  )
  for (const n of v.names)
    await check(
      'filter alerts',
      () => c('GET', `/alerts?filter=${encodeURIComponent(`alertname="${n}"`)}`),
      (r) => r.s === 200 && r.b.length === 1 && r.b[0].labels.alertname === n,
    )
  await check(
    'filter none',
    () => c('GET', `/alerts?filter=${encodeURIComponent('alertname="Nothing"')}`),
    (r) => r.s === 200 && r.b.length === 0,
  )
  await check(
    'bad filter',
    () => c('GET', `/alerts?filter=${encodeURIComponent('a b c')}`),
    (r) => r.s === 400,
  )
  await check(
    'groups',
    () => c('GET', '/alerts/groups'),
    (r) => r.s === 200 && Array.isArray(r.b),
  )
  const ids = []
  for (const n of v.names)
    await check(
      'silence',
      async () => {
        const r = await c('POST', '/silences', {
          matchers: [{ name: 'alertname', value: n, isRegex: false, isEqual: true }],
          startsAt: new Date().toISOString(),
          endsAt: new Date(Date.now() + 3600e3).toISOString(),
          createdBy: v.who,
          comment: `quiet ${n}`,
        })
        ids.push(r.b.silenceID)
        return r
      },
      (r) => r.s === 200 && /^[0-9a-f-]{36}$/.test(r.b.silenceID),
    )
  for (const [i, n] of v.names.entries())
    await check(
      'get silence',
      () => c('GET', `/silence/${ids[i]}`),
      (r) =>
        r.s === 200 &&
        r.b.id === ids[i] &&
        r.b.matchers[0].value === n &&
        r.b.createdBy === v.who &&
        r.b.status.state === 'active',
    )
  await check(
    'silences',
    () => c('GET', '/silences'),
    (r) => r.s === 200 && r.b.length === v.names.length && ids.every((id) => r.b.some((x) => x.id === id)),
  )
  await check(
    'delete silence',
    () => c('DELETE', `/silence/${ids[0]}`),
    (r) => r.s === 200,
  )
  await check(
    'get deleted',
    () => c('GET', `/silence/${ids[0]}`),
    (r) => r.s === 200 && r.b.status.state === 'expired',
  )
  await check(
    'missing',
    () => c('GET', `/silence/${v.no}`),
    (r) => r.s === 404,
  )
  await check(
    'delete missing',
    () => c('DELETE', `/silence/${v.no}`),
    (r) => r.s >= 400,
  )
  await check(
    'bad silence',
    () => c('POST', '/silences', { matchers: [], startsAt: 'x' }),
    (r) => r.s === 400,
  )
}
