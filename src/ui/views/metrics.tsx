import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf, read } from '../api.ts'
import { durationText, Field, OfGateway, Problem, Section, Table, valueOf } from '../parts/common.tsx'
import { Chart, type Series } from './chart.tsx'
import { quantileMs, readMetrics, sumOf, type Sample } from './prometheus.ts'

const EVERY_MS = 2000
const KEPT = 150

interface Reading {
  /** Of several with a shared state. */
  readonly gateway: string | undefined
  readonly at: number
  readonly samples: readonly Sample[]
}

/** Latency, statuses, upstreams and errors over time, read from the gateway's metrics while the page is open. */
export function Metrics(): JSX.Element {
  const [all, setAll] = useState<readonly Reading[]>([])
  const [chosen, choose] = useState<string | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  useEffect(() => {
    const load = (): void => {
      read<string>('metrics')
        .then(({ data, gateway }) => {
          const reading = { gateway, at: performance.now(), samples: readMetrics(data) }
          setError(undefined)
          setAll((before) => [...before, reading].slice(-KEPT - 1))
          return undefined
        })
        .catch((failed: unknown) => setError(messageOf(failed)))
    }
    load()
    const timer = setInterval(load, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  // Behind a balancer others may answer: each has counters of its own.
  const gateways = [...new Set(all.flatMap(({ gateway }) => gateway ?? []))]
  const shown = chosen ?? gateways[0]
  const readings = all.filter(({ gateway }) => gateway === shown)
  const now = readings.at(-1)?.samples ?? []
  const over = <Value,>(of: (before: Reading, after: Reading) => Value): Value[] =>
    readings.slice(1).map((after, index) => of(readings[index] as Reading, after))
  const ofStatus = (first: string): Series['points'] =>
    over((before, after) => {
      const count = (samples: readonly Sample[]): number =>
        sumOf(samples, 'sim_requests_total', ({ status = '' }) => status.startsWith(first))
      return ((count(after.samples) - count(before.samples)) / (after.at - before.at)) * 1000
    })
  const quantile = (share: number): Series['points'] =>
    over((before, after) => quantileMs(before.samples, after.samples, share))
  const most = Math.max(30, readings.length - 1)
  const perSecond = (value: number): string =>
    `${value < 10 ? value.toFixed(1) : Math.round(value)} per second`
  const pools = now.filter(({ name }) => name === 'sim_upstream_connections')
  const errors = now.filter(({ name, value }) => name === 'sim_errors_total' && value > 0)
  const totals = now.filter(({ name }) => SHOWN.test(name))
  return (
    <>
      <Problem text={error} />
      <OfGateway name={shown} />
      {gateways.length > 1 && (
        <Field label="Gateway">
          <select value={shown} onChange={(event) => choose(valueOf(event))}>
            {gateways.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Section title="Over time">
        <p class="soft">
          Of the last {Math.round((KEPT * EVERY_MS) / 60_000)} minutes, while this page is open
        </p>
        <Chart
          title="Requests"
          most={most}
          textOf={perSecond}
          series={[
            { label: '2xx', kind: 'good', points: ofStatus('2') },
            { label: '3xx', kind: 'soft', points: ofStatus('3') },
            { label: '4xx', kind: 'warn', points: ofStatus('4') },
            { label: '5xx', kind: 'bad', points: ofStatus('5') },
            { label: 'no answer', kind: 'accent', points: ofStatus('0') },
          ]}
        />
        <Chart
          title="Latency"
          most={most}
          textOf={durationText}
          series={[
            { label: 'half within', kind: 'good', points: quantile(0.5) },
            { label: '95 % within', kind: 'warn', points: quantile(0.95) },
            { label: '99 % within', kind: 'bad', points: quantile(0.99) },
          ]}
        />
      </Section>
      <Section title="Upstreams">
        {pools.length === 0 ? (
          <p>Nothing was sent to an upstream yet</p>
        ) : (
          <Table label="Connections to upstreams" heads={['Upstream', 'State', 'Connections or requests']}>
            {pools.map(({ labels, value }, index) => (
              <tr key={index}>
                <td>{labels['origin']}</td>
                <td>{labels['state']}</td>
                <td class="number">{value}</td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      <Section title="Errors by cause">
        {errors.length === 0 ? (
          <p>None</p>
        ) : (
          <Table label="Errors" heads={['Code', 'Requests']}>
            {errors.map(({ labels, value }) => (
              <tr key={labels['code']}>
                <td>
                  <code>{labels['code']}</code>
                </td>
                <td class="number">{value}</td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      <Section title="Requests by route">
        <Table label="Requests by route" heads={['Route', 'Mode', 'Status', 'Requests']}>
          {totals.map(({ labels, value }, index) => (
            <tr key={index}>
              <td>
                <code>{labels['route']}</code>
              </td>
              <td>{labels['mode']}</td>
              <td>{labels['status']}</td>
              <td class="number">{value}</td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  )
}

const SHOWN = /^sim_requests_total$/
