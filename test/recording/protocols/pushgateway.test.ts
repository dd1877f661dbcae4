import { expect, it } from 'vitest'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { pushgateway } from '../../../src/recording/protocols/pushgateway/pushgateway.ts'
import { readExposition } from '../../../src/recording/protocols/pushgateway/read-exposition.ts'

// What pushgateway 1.5.1 answered.
it.each([
  ['no metric A', 1, 'expected float as value, got "metric"'],
  ['bad 1', 1, 'unexpected end of input stream'],
  ['a 1 x\n', 1, 'expected integer as timestamp, got "x"'],
  ['a 1 2 3\n', 1, 'spurious string after timestamp: " 3"'],
  ['1a 1\n', 1, 'invalid metric name'],
  ['a{b} 1\n', 1, `expected '=' after label name, found '}'`],
  ['a{b=c} 1\n', 1, `expected '"' at start of label value, found 'c'`],
  ['a{b="c} 1\n', 1, 'label value "c} 1" contains unescaped new-line'],
  ['a{b="c"\n', 1, 'unexpected end of label value "c"'],
  ['a{b="c",b="d"} 1\n', 1, 'duplicate label names for metric "a"'],
  ['a{b="c\\d"} 1\n', 1, String.raw`invalid escape sequence '\d'`],
  ['# TYPE b foo\nb 1\n', 1, 'unknown metric type "foo"'],
  ['b 1\n# TYPE b gauge\n', 2, 'second TYPE line for metric name "b", or TYPE reported after samples'],
  ['# HELP b x\n# HELP b y\nb 1\n', 2, 'second HELP line for metric name "b"'],
  ['# TYPE h histogram\nh_bucket{le="x"} 1\n', 2, `expected float as value for 'le' label, got "x"`],
  ['a 1e400\n', 1, 'expected float as value, got "1e400"'],
])('refuses the text %j', (text, line, why) => {
  expect(() => readExposition(text)).toThrow(`text format parsing error in line ${line}: ${why}`)
})

type Answer = readonly [status: number | undefined, body: unknown]

function open(): (method: string, path: string, body?: unknown) => Answer {
  const { calls } = pushgateway
  const { types = {}, learned = {} } = calls?.semantics?.learn([], '') ?? {}
  const all = createObjects({ types })
  return (method, path, body) => {
    const [call] = calls?.read({ method, path, query: {}, headers: {}, body }) ?? []
    const come = call && calls?.semantics?.perform({ learned }, all, call, { seed: '', now: 1000 })
    return [come?.status, come?.error ?? come?.value]
  }
}

it('keeps what is pushed by the labels of its path', () => {
  const send = open()
  const text = '# TYPE a gauge\n# HELP a Some help\na{x="1",job="own"} 3\na{x="2"} 4e10\nb 1234567\n'
  expect(send('POST', '/metrics/job/j1', text)).toEqual([200, ''])
  const histogram = '# TYPE h histogram\nh_bucket{le="1"} 3\nh_bucket{le="+Inf"} 4\nh_sum 3.5\nh_count 4\n'
  expect(send('PUT', '/metrics/job@base64/ajE/instance/i1', histogram)).toEqual([200, ''])
  const [, shown] = send('GET', '/metrics')
  expect(String(shown).replaceAll(/.*push_(?:failure_)?time_seconds.*\n/g, '')).toBe(`# HELP a Some help
# TYPE a gauge
a{instance="",job="j1",x="1"} 3
a{instance="",job="j1",x="2"} 4e+10
# TYPE b untyped
b{instance="",job="j1"} 1.234567e+06
# TYPE h histogram
h_bucket{instance="i1",job="j1",le="1"} 3
h_bucket{instance="i1",job="j1",le="+Inf"} 4
h_sum{instance="i1",job="j1"} 3.5
h_count{instance="i1",job="j1"} 4
`)
})

it('adds what is posted, replaces all by what is put, and notes what failed', () => {
  const send = open()
  const groups = (): unknown => {
    const [, value] = send('GET', '/api/v1/metrics')
    return (value as { data: Record<string, unknown>[] }).data.map(
      ({ labels, last_push_successful, ...rest }) => [
        ...[labels, last_push_successful],
        Object.keys(rest).filter((name) => !name.startsWith('push_')),
      ],
    )
  }
  send('PUT', '/metrics/job/j1', '# TYPE a gauge\na 1\n')
  send('POST', '/metrics/job/j1', 'b 1\n')
  // Called a form, as curl does.
  send('POST', '/metrics/job/j2/zone/', { 'c{x': '"1"} 2\n' })
  const wrong = send('POST', '/metrics/job/j2', '# TYPE a counter\na 1\n')
  expect(wrong).toEqual([
    400,
    'pushed metrics are invalid or inconsistent with existing metrics: collected metric "a" { label:<name:"instance" value:"" > label:<name:"job" value:"j2" > counter:<value:1 > } is not a GAUGE\n',
  ])
  expect(groups()).toEqual([
    [{ job: 'j1' }, true, ['a', 'b']],
    [{ job: 'j2', zone: '' }, true, ['c']],
    [{ job: 'j2' }, false, []],
  ])
  send('PUT', '/metrics/job/j1', 'b 2\n')
  expect(send('DELETE', '/metrics/job/j2')).toEqual([202, ''])
  expect(groups()).toEqual([
    [{ job: 'j1' }, true, ['b']],
    [{ job: 'j2', zone: '' }, true, ['c']],
  ])
  expect(send('PUT', '/metrics/job/j3', 'a 1 12345\n')[1]).toContain(
    'pushed metrics must not have timestamps',
  )
  expect(send('DELETE', '/metrics/job/a/b')).toEqual([400, 'odd number of components in label string "/b"\n'])
  expect(send('PUT', '/metrics/job/a/1a/b', '')).toEqual([400, 'improper label name "1a"\n'])
})

it('finds the groups that there were in the beginning in either list', () => {
  const text = `# TYPE a gauge
a{instance="",job="j1"} 1
a{instance="i1",job="j1"} 2
# TYPE go_threads gauge
go_threads 7
# TYPE push_time_seconds gauge
push_time_seconds{instance="",job="j1"} 1.7e+09
push_time_seconds{instance="i1",job="j1"} 1.7e+09
`
  const { calls } = pushgateway
  const call = (name: string, path: string): { name: string; args: object } => ({
    name,
    args: { method: name, path },
  })
  const seen = [
    { call: call('DELETE', '/metrics/job/j1/instance/i1'), outcome: { status: 202, value: '' } },
    { call: call('GET', '/metrics'), outcome: { status: 200, value: text } },
  ].map((each) => ({ ...each, value: each.outcome.value }))
  const learned = calls?.semantics?.learn(seen as never, '')
  expect(learned?.types['group']?.items.map(({ labels, pushed }) => [labels, pushed])).toEqual([
    [{ job: 'j1' }, 1.7e12],
  ])
  expect(learned?.learned).toMatchObject({ own: { go_threads: { type: 'GAUGE' } } })
})
