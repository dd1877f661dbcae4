import { expect, it } from 'vitest'
import { evaluate } from '../../../src/recording/protocols/prometheus/evaluate.ts'
import { parsePromql } from '../../../src/recording/protocols/prometheus/parse-promql.ts'
import { Refusal } from '../../../src/recording/protocols/prometheus/refusal.ts'
import { createSource } from '../../../src/recording/protocols/prometheus/series.ts'
import { formatNumber } from '../../../src/recording/protocols/prometheus/values.ts'

const START = 1_764_374_400
const MINUTE = 60

const series = (name: string, labels: Readonly<Record<string, string>>, values: readonly number[]) => ({
  metric: { ...labels, __name__: name },
  points: values.map((value, at) => [START + at * MINUTE, value] as const),
  isSent: true,
})
const SERIES = [
  series('cpu', { host: 'a', region: 'eu' }, [10, 20, 30, 25, 5]),
  series('cpu', { host: 'b', region: 'eu' }, [7, 7, 7, 7, 9]),
  series('cpu', { host: 'c', region: 'us' }, [1, 2, 4, 8, 16]),
  series('mem', { host: 'a', region: 'eu' }, [40, 41, 42, 43, 44]),
  series('mem', { host: 'c', region: 'us' }, [3, 3, 3, 3, 3]),
  series('hits_total', { code: '200' }, [0, 60, 120, 30, 90]),
  series('hits_total', { code: '500' }, [0, 1, 1, 1, 2]),
  series('lat_bucket', { le: '0.1' }, [0, 1, 2, 3, 4]),
  series('lat_bucket', { le: '1' }, [0, 3, 6, 9, 12]),
  series('lat_bucket', { le: '+Inf' }, [0, 4, 8, 12, 16]),
]
const KNOWN = { names: [], areAll: true, absent: [], common: {} }
const FRESH = { seed: '1', now: 0 }
const source = createSource(SERIES, KNOWN, FRESH)

const labelsText = ({ __name__: name = '', ...labels }: Readonly<Record<string, string>>): string =>
  [name, ...Object.entries(labels).map((pair) => pair.join('='))].filter((part) => part !== '').join(' ')
const rounded = (value: number): string => formatNumber(Number(value.toPrecision(7)))
const line = (metric: Readonly<Record<string, string>>, ...values: readonly number[]): string =>
  [labelsText(metric), values.map(rounded).join(' ')].filter((part) => part !== '').join(': ')

function results(query: string): string | readonly string[] {
  try {
    const value = evaluate(parsePromql(query), START + 4 * MINUTE + 1, source)
    if (value.type === 'string') return value.value
    if (value.type === 'scalar') return rounded(value.value)
    return value.type === 'vector'
      ? value.entries.map(({ metric, value: own }) => line(metric, own)).toSorted()
      : value.rows.map(({ metric, points }) => line(metric, ...points.map(([, own]) => own))).toSorted()
  } catch (error) {
    if (error instanceof Refusal) return 'refused'
    throw error
  }
}

// As Prometheus 2.42 answered for the same series.
it.each<[query: string, expected: string | readonly string[]]>([
  ['cpu{host=~"a|b"}', ['cpu host=a region=eu: 5', 'cpu host=b region=eu: 9']],
  ['cpu{host!="a",region=~".+"}', ['cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  ['{__name__=~"c.*"}', ['cpu host=a region=eu: 5', 'cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  ['cpu offset 1m', ['cpu host=a region=eu: 25', 'cpu host=b region=eu: 7', 'cpu host=c region=us: 8']],
  ['cpu @ 1764374460', ['cpu host=a region=eu: 20', 'cpu host=b region=eu: 7', 'cpu host=c region=us: 2']],
  ['sum(cpu)', ['30']],
  ['sum by (region) (cpu)', ['region=eu: 14', 'region=us: 16']],
  ['avg without (host) (cpu)', ['region=eu: 7', 'region=us: 16']],
  ['stddev(cpu)', ['4.546061']],
  ['topk(2, cpu)', ['cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  ['quantile(0.5, cpu)', ['9']],
  ['count_values("v", mem)', ['v=3: 1', 'v=44: 1']],
  ['rate(hits_total[3m30s])', ['code=200: 0.8333333', 'code=500: 0.005555556']],
  ['increase(hits_total[3m30s])', ['code=200: 175', 'code=500: 1.166667']],
  [
    'delta(cpu[3m30s])',
    ['host=a region=eu: -17.5', 'host=b region=eu: 2.333333', 'host=c region=us: 16.33333'],
  ],
  [
    'deriv(cpu[3m30s])',
    ['host=a region=eu: -0.08333333', 'host=b region=eu: 0.01', 'host=c region=us: 0.07666667'],
  ],
  ['resets(hits_total[5m])', ['code=200: 1', 'code=500: 0']],
  ['changes(cpu[5m])', ['host=a region=eu: 4', 'host=b region=eu: 1', 'host=c region=us: 4']],
  ['max_over_time(cpu[2m30s])', ['host=a region=eu: 30', 'host=b region=eu: 9', 'host=c region=us: 16']],
  [
    'last_over_time(cpu[2m30s])',
    ['cpu host=a region=eu: 5', 'cpu host=b region=eu: 9', 'cpu host=c region=us: 16'],
  ],
  [
    'quantile_over_time(0.5, cpu[5m])',
    ['host=a region=eu: 20', 'host=b region=eu: 7', 'host=c region=us: 4'],
  ],
  [
    'predict_linear(cpu[3m30s], 60)',
    ['host=a region=eu: 7.416667', 'host=b region=eu: 9.01', 'host=c region=us: 19.07667'],
  ],
  ['histogram_quantile(0.5, lat_bucket)', ['0.55']],
  ['round(cpu / 3, 0.5)', ['host=a region=eu: 1.5', 'host=b region=eu: 3', 'host=c region=us: 5.5']],
  ['clamp(cpu, 6, 10)', ['host=a region=eu: 6', 'host=b region=eu: 9', 'host=c region=us: 10']],
  ['-2^2', '-4'],
  ['2 * 3 > bool 5', '1'],
  ['cpu > 8', ['cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  ['cpu > bool 8', ['host=a region=eu: 0', 'host=b region=eu: 1', 'host=c region=us: 1']],
  ['8 < cpu', ['cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  ['cpu + on (host) mem', ['host=a: 49', 'host=c: 19']],
  ['cpu / ignoring (region) mem', ['host=a: 0.1136364', 'host=c: 5.333333']],
  [
    'cpu * on (region) group_left () sum by (region) (mem)',
    ['host=a region=eu: 220', 'host=b region=eu: 396', 'host=c region=us: 48'],
  ],
  ['cpu and on (host) mem', ['cpu host=a region=eu: 5', 'cpu host=c region=us: 16']],
  ['cpu unless on (host) mem', ['cpu host=b region=eu: 9']],
  ['mem or cpu', ['cpu host=b region=eu: 9', 'mem host=a region=eu: 44', 'mem host=c region=us: 3']],
  ['scalar(sum(cpu))', '30'],
  ['vector(1)', ['1']],
  ['absent(nope{a="b"})', ['a=b: 1']],
  ['absent(cpu)', []],
  ['sort_desc(cpu)', ['cpu host=a region=eu: 5', 'cpu host=b region=eu: 9', 'cpu host=c region=us: 16']],
  [
    'label_replace(mem, "to", "x-$1", "host", "(.*)")',
    ['mem host=a region=eu to=x-a: 44', 'mem host=c region=us to=x-c: 3'],
  ],
  [
    'label_join(mem, "to", "-", "host", "region")',
    ['mem host=a region=eu to=a-eu: 44', 'mem host=c region=us to=c-us: 3'],
  ],
  ['max_over_time(sum(cpu)[3m:1m])', ['41']],
  ['day_of_week(vector(1764374400))', ['6']],
  ['nope', []],
  ['1 / 0', '+Inf'],
  ['"text"', 'text'],
  ['cpu[1m30s]', ['cpu host=a region=eu: 25 5', 'cpu host=b region=eu: 7 9', 'cpu host=c region=us: 8 16']],
  [
    'label_replace(mem, "to", "${last}-$1", "region", "(.)(?P<last>.)")',
    ['mem host=a region=eu to=u-e: 44', 'mem host=c region=us to=s-u: 3'],
  ],
  ['cpu{host=~"(?i)A"}', ['cpu host=a region=eu: 5']],
  ['cpu{toString=~".+"}', []],
  ['sum by (constructor) (cpu)', ['30']],
  ['sum(', 'refused'],
  ['', 'refused'],
  ['cpu{host=~"("}', 'refused'],
  ['label_replace(cpu, "a", "b", "host", "(")', 'refused'],
  ['cpu * on (region) cpu', 'refused'],
  ['cpu{', 'refused'],
  ['rate(cpu)', 'refused'],
  ['sum(1)', 'refused'],
  ['{}', 'refused'],
  ['cpu[5m] + 1', 'refused'],
])('evaluates %s', (query, expected) => {
  expect(results(query)).toEqual(expected)
})

it.each([
  ['a year by milliseconds', 'sum_over_time(cpu[1y:1ms])'],
  ['subqueries of subqueries', 'max_over_time(max_over_time(cpu[10000s:1s])[10000s:1s])'],
  ['doubled labels', `${'label_join('.repeat(60)}cpu${', "host", "", "host", "host")'.repeat(60)}`],
])('refuses what takes too much: %s', (_what, query) => {
  expect(() => evaluate(parsePromql(query), START, createSource(SERIES, KNOWN, FRESH))).toThrow(
    expect.objectContaining({ reason: 'tooMany' }),
  )
})
