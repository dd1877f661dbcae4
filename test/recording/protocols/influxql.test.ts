import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseInfluxQl } from '../../../src/recording/protocols/influxdb/parse-influxql.ts'
import { BadLine, itemOf, pointKey, pointsIn } from '../../../src/recording/protocols/influxdb/points.ts'
import { FIRST_POLICY, run } from '../../../src/recording/protocols/influxdb/run-statement.ts'
import { Malformed, Unknown } from '../../../src/recording/protocols/influxdb/statement.ts'

const LINES = `cpu,host=a,region=eu value=10,n=1i 1700000000
cpu,host=b,region=us value=20.5,n=2i,note="x\\\\ y" 1700000010
cpu,host=a,region=eu value=30 1700000070
cpu,host=c,region=eu value=4,n=7i 1700000130
odd\\ name,k\\ 1=v\\,1 ok=true 1700000000`

interface Case {
  readonly query: string
  /** Null for a text that is refused. */
  readonly results: readonly object[] | null
}

// In order, since some remove points.
it('answers InfluxQL as InfluxDB 1.6 did', async () => {
  const cases = JSON.parse(readFileSync(new URL('influxql.json', import.meta.url), 'utf8')) as Case[]
  const points = new Map(
    pointsIn(LINES, 'd', 1_000_000_000n, 0n).map((point) => [pointKey(point), itemOf(point)]),
  )
  const store = {
    ...{ points, users: new Map() },
    databases: new Map([['d', { id: 'd', policies: [FIRST_POLICY] }]]),
  }
  const around = { database: 'd', now: 0n, epoch: 's', isRead: false }
  for (const { query, results } of cases) {
    const answered = (): readonly object[] | null => {
      try {
        return parseInfluxQl(query, 0n).map((statement) => run(statement, store, around))
      } catch (error) {
        if (error instanceof Malformed) return null
        throw error
      }
    }
    expect([query, answered()]).toEqual([query, results])
  }
})

it.each(['cpu', 'cpu,host value=1', 'cpu value=x', 'cpu value=1 soon', 'cpu value=1 9223372036854775807'])(
  'refuses the line %s',
  (line) => {
    expect(() => pointsIn(line, 'd', 1n, 0n)).toThrow(BadLine)
  },
)

it.each(['select constructor(value) from cpu', `select * from cpu where ${'('.repeat(9999)}n = 1`])(
  'says nothing of %.50s',
  (query) => {
    const store = {
      ...{ users: new Map(), databases: new Map([['d', { id: 'd', policies: [FIRST_POLICY] }]]) },
      points: new Map(pointsIn(LINES, 'd', 1n, 0n).map((point) => [pointKey(point), itemOf(point)])),
    }
    const around = { database: 'd', now: 0n, epoch: undefined, isRead: true }
    expect(() => parseInfluxQl(query, 0n).map((each) => run(each, store, around))).toThrow(Unknown)
  },
)
