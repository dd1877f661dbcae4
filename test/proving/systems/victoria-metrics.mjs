import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['victoria-metrics']

export function start(directory) {
  return startServer(needs[0], (port) => [
    ...[`-storageDataPath=${join(directory, 'data')}`, `-httpListenAddr=127.0.0.1:${port}`],
    ...['-retentionPeriod=100y', '-search.latencyOffset=0s', '-search.disableCache'],
  ])
}

export const isMap = (pointer) => pointer.endsWith('/metric')

const T = 1_700_000_000

export async function session(base, which, check) {
  const c = jsonClient(base)
  const v =
    which === 'A'
      ? { names: ['cpu', 'mem', 'disk'], at: [0, 60, 120], bad: 'sum(', none: 'nope' }
      : { names: ['net', 'load', 'temp'], at: [30, 90, 150], bad: 'rate(up', none: 'zero' }
  const line = (name, host, factor) => ({
    metric: { __name__: name, host },
    values: Array.from({ length: 20 }, (_, at) => at * factor),
    timestamps: Array.from({ length: 20 }, (_, at) => (T + at * 15) * 1000),
  })
  for (const name of v.names)
    await check(
      'import',
      () => {
        const body = [line(name, 'a', 1), line(name, 'b', 2)].map((each) => JSON.stringify(each)).join('\n')
        return fetch(`${base}/api/v1/import`, { method: 'POST', body })
      },
      ({ status }) => status === 204,
    )
  await check('flush', () => c('GET', '/internal/force_flush'))
  for (const name of v.names)
    await check(
      'query',
      () => c('GET', `/api/v1/query?query=${name}&time=${T + 120}`),
      ({ b }) => b.data.result.length === 2 && b.data.result[0].metric.__name__ === name,
    )
  for (const [at, name] of v.names.entries())
    await check(
      'range',
      () =>
        c('GET', `/api/v1/query_range?query=${name}&start=${T + v.at[at]}&end=${T + v.at[at] + 60}&step=15`),
      ({ b: { data } }) =>
        data.resultType === 'matrix' &&
        data.result.length === 2 &&
        data.result[0].values[0][0] === T + v.at[at] &&
        data.result[0].values.length === 5,
    )
  await check(
    'none',
    () => c('GET', `/api/v1/query?query=${v.none}&time=${T + 120}`),
    ({ b }) => b.data.result.length === 0,
  )
  await check(
    'bad',
    () => c('GET', `/api/v1/query?query=${encodeURIComponent(v.bad)}`),
    ({ s }) => s >= 400,
  )
  await check(
    'labels',
    () => c('GET', `/api/v1/labels?start=${T}`),
    ({ b }) => b.data.includes('host'),
  )
  await check(
    'names',
    () => c('GET', `/api/v1/label/__name__/values?start=${T}`),
    ({ b }) => b.data.length === 3,
  )
  await check(
    'series',
    () => c('GET', `/api/v1/series?match[]=${v.names[0]}&start=${T}`),
    ({ b }) => b.data.length === 2,
  )
}
