import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { durationText, Field, Problem, Said, Section, Table, valueOf } from '../parts/common.tsx'
import { useAction, useApi } from '../use-api.ts'
import type { RouteRow } from './route-row.ts'

interface Happened {
  readonly route: string
  readonly ordinal: number
  readonly rule?: string
  readonly latency_ms?: number
  readonly status?: number
  readonly fault?: string
}

interface Rule {
  readonly name?: string
  readonly match?: { readonly path?: string }
  readonly latency?: unknown
  readonly errors?: { readonly rate: number }
}

interface ChaosState {
  readonly seed: number | string
  readonly rules: readonly Rule[]
  readonly log: readonly Happened[]
}

/** The rules that the sliders make. */
const OWN = 'page'

/** What goes wrong on purpose: now, next, and until now. */
export function Chaos(): JSX.Element {
  const state = useApi<ChaosState>('chaos', { limit: 200 }, 2000)
  const { said, run } = useAction()
  const rules = state.data?.rules ?? []
  const put = (others: readonly Rule[], done: string): void =>
    run(async () => {
      state.set(await ask<ChaosState>('PUT', 'chaos', { body: { rules: others } }))
    }, done)
  return (
    <>
      <Sliders rules={rules} onChange={put} />
      <Section
        title="Rules in force"
        actions={
          <button
            type="button"
            onClick={() =>
              run(async () => state.set(await ask<ChaosState>('DELETE', 'chaos')), 'All chaos has ended')
            }
          >
            End all chaos
          </button>
        }
      >
        <Said said={said} />
        <Problem text={state.error} />
        {rules.length === 0 && <p>None: nothing goes wrong on purpose, but for what routes say themselves</p>}
        <ul class="plain">
          {rules.map((rule, index) => (
            <li key={index} class="bar">
              <code class="cut">{JSON.stringify(rule)}</code>
              <button
                type="button"
                aria-label={`Switch off ${rule.name ?? `rule ${index + 1}`}`}
                onClick={() =>
                  put(
                    rules.filter((_, at) => at !== index),
                    'Switched off',
                  )
                }
              >
                Switch off
              </button>
            </li>
          ))}
        </ul>
        <RulesEditor key={JSON.stringify(rules)} rules={rules} onChange={put} />
      </Section>
      <Schedule turn={JSON.stringify(rules)} />
      <Section title="What was injected">
        {(state.data?.log ?? []).length === 0 ? (
          <p>Nothing yet</p>
        ) : (
          <HappenedTable label="What was injected, the newest first" of={state.data?.log ?? []} />
        )}
      </Section>
    </>
  )
}

function Sliders({
  rules,
  onChange,
}: {
  readonly rules: readonly Rule[]
  readonly onChange: (rules: readonly Rule[], done: string) => void
}): JSX.Element {
  const [path, setPath] = useState('/**')
  const [rate, setRate] = useState(10)
  const [ms, setMs] = useState(0)
  const [reset, setReset] = useState(0)
  const apply = (): void => {
    const own: Rule & { readonly faults?: unknown } = {
      name: OWN,
      match: { path },
      ...(ms > 0 && { latency: ms }),
      ...(rate > 0 && { errors: { rate: rate / 100 } }),
      ...(reset > 0 && { faults: { reset: reset / 100 } }),
    }
    onChange([own, ...rules.filter(({ name }) => name !== OWN)], 'In force')
  }
  return (
    <Section title="Inject">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div class="fields">
          <Field label="Paths to disturb">
            <input value={path} onInput={(event) => setPath(valueOf(event))} required />
          </Field>
          <Slider label="Fail" unit="%" max={100} value={rate} onInput={setRate} />
          <Slider label="Hold" unit="ms" max={5000} step={50} value={ms} onInput={setMs} />
          <Slider label="Reset connections" unit="%" max={100} value={reset} onInput={setReset} />
        </div>
        <p class="bar">
          <button type="submit" class="main">
            Apply
          </button>
        </p>
      </form>
    </Section>
  )
}

function Slider({
  label,
  unit,
  max,
  step = 1,
  value,
  onInput,
}: {
  readonly label: string
  readonly unit: string
  readonly max: number
  readonly step?: number
  readonly value: number
  readonly onInput: (value: number) => void
}): JSX.Element {
  return (
    <Field label={`${label}: ${value} ${unit}`}>
      <input
        type="range"
        min={0}
        {...{ max, step, value }}
        aria-valuetext={`${value} ${unit}`}
        onInput={(event) => onInput(Number(valueOf(event)))}
      />
    </Field>
  )
}

function RulesEditor({
  rules,
  onChange,
}: {
  readonly rules: readonly Rule[]
  readonly onChange: (rules: readonly Rule[], done: string) => void
}): JSX.Element {
  const [text, setText] = useState(JSON.stringify(rules, null, 2))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const apply = (event: Event): void => {
    event.preventDefault()
    try {
      onChange(JSON.parse(text) as readonly Rule[], 'In force')
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <details>
      <summary>Edit all rules as JSON</summary>
      <form onSubmit={apply}>
        <Field label="Rules" wide>
          <textarea rows={10} value={text} onInput={(event) => setText(valueOf(event))} />
        </Field>
        <Problem text={problem} />
        <p class="bar">
          <button type="submit">Put in force</button>
        </p>
      </form>
    </details>
  )
}

function Schedule({ turn }: { readonly turn: string }): JSX.Element {
  const { data: routes = [] } = useApi<readonly RouteRow[]>('routes')
  const [route, setRoute] = useState('')
  const chosen = route === '' ? routes[0]?.route : route
  const query = { route: chosen, count: 20, turn: undefined }
  const { data, error } = useApi<readonly Happened[]>(
    chosen === undefined ? undefined : 'chaos/schedule',
    query,
    turn === '[]' ? undefined : 3000,
  )
  return (
    <Section title="The schedule ahead">
      <label>
        The next 20 requests of{' '}
        <select value={chosen ?? ''} onChange={(event) => setRoute(valueOf(event))}>
          {routes.slice(0, 500).map((each) => (
            <option key={each.route}>{each.route}</option>
          ))}
        </select>
      </label>
      <Problem text={error} />
      {data !== undefined && <HappenedTable label="The schedule ahead" of={data} />}
    </Section>
  )
}

function HappenedTable({
  label,
  of,
}: {
  readonly label: string
  readonly of: readonly Happened[]
}): JSX.Element {
  return (
    <Table label={label} heads={['Request', 'Route', 'Rule', 'Held', 'What happens']}>
      {of.map(({ route, ordinal, rule = '', latency_ms: ms, status, fault }, index) => (
        <tr key={index}>
          <td class="number">{ordinal + 1}</td>
          <td>
            <code>{route}</code>
          </td>
          <td>{rule}</td>
          <td class="number">{ms === undefined ? '' : durationText(ms)}</td>
          <td>{status === undefined ? (fault ?? (rule === '' ? 'nothing' : '')) : `fails with ${status}`}</td>
        </tr>
      ))}
    </Table>
  )
}
