import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.ts'

export const needs = ['prometheus']

export function start(directory) {
  const file = join(directory, 'prometheus.yml')
  const args = (port) => {
    const jobs = `  - job_name: own\n    static_configs: [{ targets: ['127.0.0.1:${port}'] }]\n`
    writeFileSync(file, `global: { scrape_interval: 1s }\nscrape_configs:\n${jobs}`)
    return [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
  }
  // Up once it has read its own metrics a few times.
  const isUp = async (url) => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent('count_over_time(up[1m])')}`)
    const { data } = await response.json()
    return Number(data.result[0]?.value[1] ?? 0) >= 3
  }
  return startServer('prometheus', args, { isUp })
}

const DATA = /\/(?:metric|labels|discoveredLabels|data)$/
export const isMap = (pointer) => DATA.test(pointer)

const VALUES = {
  A: {
    queries: ['up', 'go_threads', 'prometheus_build_info', 'go_goroutines'],
    labels: ['instance', 'job', '__name__'],
    wrong: 'avg(',
    chosen: 'up{job="own"}',
    none: 'no_such_metric',
    sum: 'count by (job) (up)',
    number: '2 + 3 * 4',
    value: '14',
  },
  B: {
    queries: ['go_info', 'scrape_samples_scraped', 'up', 'process_max_fds'],
    labels: ['version', 'code', 'handler'],
    wrong: 'rate(go_info)',
    chosen: 'go_threads{instance=~".+"}',
    none: 'other{a="b"}',
    sum: 'max without (instance) (up) == bool 1',
    number: 'scalar(vector(3)) / 2',
    value: '1.5',
  },
}

export async function session(base, which, check) {
  const { queries, labels, wrong, chosen, none, sum, number, value } = VALUES[which]
  const now = Math.floor(Date.now() / 1000)
  const call = async (path, form) => {
    const response = await fetch(base + path, form && { method: 'POST', body: new URLSearchParams(form) })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const query = (text) => call(`/api/v1/query?query=${encodeURIComponent(text)}`)

  for (const each of queries)
    await check(
      'query',
      () => query(each),
      ({ body }) => body.data.resultType === 'vector' && body.data.result.length > 0,
    )
  for (const each of queries)
    await check(
      'range',
      () => call('/api/v1/query_range', { query: each, start: now - 10, end: now, step: 1 }),
      ({ body }) => body.data.resultType === 'matrix',
    )
  for (const each of labels)
    await check(
      'label',
      () => call(`/api/v1/label/${each}/values`),
      ({ body }) => body.data.length > 0,
    )
  await check(
    'labels',
    () => call('/api/v1/labels'),
    ({ body }) => body.data.includes('job'),
  )
  await check(
    'series',
    () => call(`/api/v1/series?match[]=${queries[0]}`),
    ({ body }) => body.data[0].__name__ === queries[0],
  )
  await check(
    'scalar',
    () => query('2*3'),
    ({ body }) => body.data.result[1] === '6',
  )
  await check(
    'chosen',
    () => query(chosen),
    ({ body }) => body.data.result.length === 1,
  )
  await check(
    'none',
    () => query(none),
    ({ body }) => body.data.result.length === 0,
  )
  await check(
    'aggregated',
    () => query(sum),
    ({ body }) => body.data.result[0].metric.job === 'own' && body.data.result[0].value[1] === '1',
  )
  await check(
    'numbers',
    () => query(number),
    ({ body }) => body.data.resultType === 'scalar' && body.data.result[1] === value,
  )
  await check(
    'no series',
    () => call(`/api/v1/series?match[]=${encodeURIComponent(none)}`),
    ({ body }) => body.data.length === 0,
  )
  await check(
    'no values',
    () => call(`/api/v1/label/${which}/values`),
    ({ body }) => body.data.length === 0,
  )
  await check(
    'range backwards',
    () => call('/api/v1/query_range', { query: 'up', start: now, end: now - 5, step: 1 }),
    ({ status, body }) => status === 400 && body.errorType === 'bad_data',
  )
  await check(
    'wrong query',
    () => query(wrong),
    ({ status, body }) => status === 400 && body.errorType === 'bad_data',
  )
  await check(
    'targets',
    () => call('/api/v1/targets'),
    ({ body }) => body.data.activeTargets.length === 1,
  )
  await check(
    'build',
    () => call('/api/v1/status/buildinfo'),
    ({ body }) => /^\d+\.\d+/.test(body.data.version),
  )
  await check(
    'rules',
    () => call('/api/v1/rules'),
    ({ body }) => Array.isArray(body.data.groups),
  )
  await check(
    'alerts',
    () => call('/api/v1/alerts'),
    ({ body }) => body.data.alerts.length === 0,
  )
  await check(
    'unknown path',
    () => call('/api/v1/unknown'),
    ({ status }) => status === 404,
  )
  await check(
    'metrics',
    () => call('/metrics'),
    ({ body }) => body.includes('go_threads'),
  )
}
