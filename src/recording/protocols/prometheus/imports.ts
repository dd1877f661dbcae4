import { isObject } from '../../../engine/schema/schema.ts'
import { compareTexts } from '../../../grouping.ts'
import type { Call } from '../../calls/call.ts'
import { paramsIn } from '../endpoints.ts'
import { textIn } from './endpoints.ts'
import type { Labels, Point } from './promql-types.ts'
import { labelsIn, pointsIn, type Series } from './series.ts'
import { numberIn } from './values.ts'

type Reader = (call: Call, now: number) => readonly Series[]

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['import', ({ args }) => linesIn(args['body']).flatMap(seriesInLine)],
  ['import/prometheus', textSeries],
  ['import/csv', csvSeries],
])

/** The series that a request imports; `undefined` for one that is for something else. @param now in milliseconds since 1970 */
export function importedBy(
  endpoint: string | undefined,
  call: Call,
  now: number,
): readonly Series[] | undefined {
  return READERS.get(endpoint ?? '')?.(call, now).map((each) => ({
    ...each,
    metric: sortedLabels(each.metric),
  }))
}

// As servers show them.
function sortedLabels(metric: Labels): Labels {
  return Object.fromEntries(Object.entries(metric).toSorted(([a], [b]) => compareTexts(a, b)))
}

// A line of JSON, with `metric`, `values` and `timestamps` in milliseconds.
function seriesInLine(line: unknown): readonly Series[] {
  if (!isObject(line)) return []
  const metric = labelsIn(line['metric'])
  const [values, times] = [[line['values']].flat(), [line['timestamps']].flat()]
  const points = pointsIn(times.map((time, at) => [Number(time) / 1000, values[at]]))
  return metric === undefined ? [] : [{ metric, points, isSent: true }]
}

function linesIn(body: unknown): readonly unknown[] {
  if (typeof body !== 'string') return [body].flat()
  return body.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

const NAME = /^[a-z_:][\w:]*/i
const LABEL = /(?<!\w)([a-z_]\w*) *= *"((?:[^"\\]|\\.)*)"/gi

// As applications show their metrics: `name{label="value"} 1 1700000000000`.
function textSeries(call: Call, now: number): readonly Series[] {
  const usual = Number(textIn(paramsIn(call)['timestamp'])) || now
  return textIn(call.args['body'])
    .split('\n')
    .flatMap((given): Series[] => {
      const line = given.trim()
      const [name] = NAME.exec(line) ?? []
      if (name === undefined) return []
      const end = line.lastIndexOf('}') + 1
      const [value = '', time = usual] = line.slice(Math.max(end, name.length)).trim().split(/\s+/)
      const labels = [...line.slice(name.length, end).matchAll(LABEL)]
      const own = labels.map(([, label = '', text = '']): [string, string] => [label, unescaped(text)])
      return [oneOf({ ...Object.fromEntries(own), __name__: name }, [Number(time) / 1000, numberIn(value)])]
    })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_all, each: string) => (each === 'n' ? '\n' : each))
}

const TIMES: ReadonlyMap<string, (text: string) => number> = new Map([
  ['unix_s', (text: string) => Number(text)],
  ['unix_ms', (text) => Number(text) / 1000],
  ['unix_ns', (text) => Number(text) / 1e9],
  ['rfc3339', (text) => Date.parse(text) / 1000],
])

// What its columns are, `format` says, such as `1:label:host,2:metric:load,3:time:unix_s`.
function csvSeries(call: Call, now: number): readonly Series[] {
  const columns = textIn(paramsIn(call)['format'])
    .split(',')
    .map((column) => column.split(':'))
  const lines = textIn(call.args['body']).split('\n')
  return lines.flatMap((line): readonly Series[] => {
    const cells = line.trim().split(',')
    const read = (wanted: string): readonly (readonly [name: string, cell: string])[] =>
      columns.flatMap(([at, kind, name = '']) => {
        const cell = cells[Number(at) - 1]
        return kind === wanted && cell !== undefined ? [[name, cell] as const] : []
      })
    const labels = Object.fromEntries(read('label'))
    const [[unit, cell] = ['', '']] = read('time')
    const time = TIMES.get(unit)?.(cell) ?? now / 1000
    return read('metric').flatMap(([name, value]) =>
      value === '' ? [] : [oneOf({ __name__: name, ...labels }, [time, Number(value)])],
    )
  })
}

function oneOf(metric: Labels, point: Point): Series {
  return { metric, points: [point], isSent: true }
}
