import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['prometheus-pushgateway']

export const short = {
  'by rule': 'what the server says of its own process differs each time, and it lists groups in any order',
}

/** Debian's keeps what was pushed, from one start to the next, in a folder of the system where no file is given. */
export function start(directory) {
  return startServer('prometheus-pushgateway', (port) => [
    ...[
      `--web.listen-address=127.0.0.1:${port}`,
      `--persistence.file=${join(directory, 'data')}`,
      '--web.enable-admin-api',
    ],
  ])
}

const A = [
  { job: 'backup', at: 'db1', metrics: { backup_seconds: 12.5, backup_bytes: 4096 }, later: 14 },
  { job: 'report', at: 'web1', metrics: { report_rows: 210 }, later: 230 },
]
const B = [
  { job: 'cleanup', at: 'host7', metrics: { cleanup_files: 17 }, later: 19 },
  {
    job: 'import',
    at: 'etl2',
    metrics: { import_rows: 5120, import_errors: 3, import_seconds: 61.25 },
    later: 4000,
  },
  { job: 'mail', at: 'mx1', metrics: { mail_sent: 77 }, later: 80 },
]

export async function session(base, which, check) {
  const send = jsonClient(base)
  const groups = which === 'A' ? A : B
  const path = ({ job, at }) => `/metrics/job/${job}/instance/${at}`
  const push = async (method, to, body) => {
    const request = { method, body }
    const response = await fetch(base + to, request)
    return { s: response.status, b: await response.text() }
  }
  const text = (metrics) =>
    Object.entries(metrics)
      .map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`)
      .join('')
  const list = (isRight) =>
    check(
      'groups',
      () => send('GET', '/api/v1/metrics'),
      ({ s, b }) => s === 200 && b.status === 'success' && isRight(b.data),
    )
  const valueOf = (data, { at }, name) =>
    Number(data.find(({ labels }) => labels.instance === at)?.[name]?.metrics[0].value)
  const shows = (group, name, value) =>
    check(
      'metrics',
      () => send('GET', '/metrics'),
      ({ s, b }) =>
        s === 200 &&
        new RegExp(`^${name}\\{instance="${group.at}",job="${group.job}"\\} ${value}$`, 'm').test(b),
    )
  await check(
    'ready',
    () => send('GET', '/-/ready'),
    ({ s }) => s === 200,
  )
  await check(
    'healthy',
    () => send('GET', '/-/healthy'),
    ({ s }) => s === 200,
  )
  await check(
    'status',
    () => send('GET', '/api/v1/status'),
    ({ s, b }) => s === 200 && b.data.build_information.version !== '',
  )
  await list((data) => data.length === 0)
  for (const [index, group] of groups.entries()) {
    const [[name, value]] = Object.entries(group.metrics)
    await check(
      'push',
      () => push('PUT', path(group), text(group.metrics)),
      ({ s }) => s === 200,
    )
    await list((data) => data.length === index + 1 && valueOf(data, group, name) === value)
    await shows(group, name, value)
  }
  for (const group of groups) {
    const [name] = Object.keys(group.metrics)
    await check(
      'add',
      () => push('POST', path(group), text({ [name]: group.later })),
      ({ s }) => s === 200,
    )
    await list((data) => valueOf(data, group, name) === group.later)
    await shows(group, name, group.later)
  }
  await check(
    'bad text',
    () => push('PUT', path(groups[0]), `no metric ${which}`),
    ({ s, b }) => s === 400 && b.includes('text format'),
  )
  await check(
    'bad job',
    () => push('PUT', '/metrics/job/', 'a 1\n'),
    ({ s }) => s === 404,
  )
  await check(
    'inconsistent',
    () =>
      push(
        'POST',
        path(groups[1]),
        `# TYPE ${Object.keys(groups[0].metrics)[0]} counter\n${Object.keys(groups[0].metrics)[0]} 1\n`,
      ),
    ({ s }) => s === 400,
  )
  for (const [index, group] of groups.slice(0, which === 'A' ? 1 : 2).entries()) {
    await check(
      'delete',
      () => push('DELETE', path(group)),
      ({ s }) => s === 202,
    )
    await list((data) => data.length === groups.length - index - 1)
  }
  await check(
    'delete none',
    () => push('DELETE', `/metrics/job/none-${which}`),
    ({ s }) => s === 202,
  )
  await list((data) => data.length > 0)
  await check(
    'wipe',
    () => push('PUT', '/api/v1/admin/wipe'),
    ({ s }) => s === 202,
  )
  await list((data) => data.length === 0)
  await check(
    'put again',
    () => push('PUT', path(groups[1]), text(groups[1].metrics)),
    ({ s }) => s === 200,
  )
  await list((data) => data.length === 1)
  await check(
    'unknown',
    () => send('GET', '/api/v2/none'),
    ({ s }) => s === 404,
  )
}
