import type { JSX } from 'preact'
import { Problem, Table } from '../parts/common.tsx'
import { visible } from '../parts/visible.ts'
import { useApi } from '../use-api.ts'

interface Explanation {
  readonly answered_by: string
  readonly mode: string
  readonly route?: string
  readonly place?: string
  readonly params?: Readonly<Record<string, string>>
  readonly misses?: readonly { readonly route: string; readonly detail: string }[]
  readonly steps?: readonly {
    readonly name: string
    readonly verdict: string
    readonly status?: number
    readonly detail?: string
  }[]
  readonly chaos?: readonly string[]
  readonly state?: Readonly<Record<string, unknown>>
  readonly rerun?: {
    readonly done: boolean
    readonly same?: boolean
    readonly compared?: string
    readonly detail?: string
  }
  readonly leaves?: readonly { readonly pointer: string; readonly origin: string; readonly detail?: string }[]
  readonly leaves_left_out?: number
}

/** Why a request got its answer: route, policies, and where each value came from. */
export function Why({ id }: { readonly id: number }): JSX.Element {
  const { data, error } = useApi<Explanation>(`requests/${id}/explain`)
  if (error !== undefined) return <Problem text={error} />
  if (data === undefined) return <p>Asking…</p>
  const {
    answered_by: by,
    mode,
    route,
    place,
    params = {},
    misses = [],
    steps = [],
    chaos,
    state = {},
  } = data
  const { leaves = [], leaves_left_out: leftOut = 0, rerun } = data
  const named = Object.entries(params).map(([name, value]) => `${name} = ${value}`)
  return (
    <div>
      <dl class="pairs">
        <Pair name="Answered by" value={`${by}, in mode ${mode}`} />
        <Pair name="Route" value={route ?? 'None is declared for it'} />
        {place !== undefined && <Pair name="Described in" value={place} />}
        {named.length > 0 && <Pair name="Parameters" value={named.join(', ')} />}
        {chaos !== undefined && <Pair name="Chaos" value={chaos.join(', ')} />}
        {Object.entries(state).map(([name, value]) => (
          <Pair key={name} name={name} value={String(value)} />
        ))}
        {rerun !== undefined && <Pair name="Run again" value={rerunText(rerun)} />}
      </dl>
      {steps.length > 0 && (
        <Table
          label="Policies, in the order that the request met them"
          heads={['Policy', 'Verdict', 'Detail']}
        >
          {steps.map(({ name, verdict, status, detail = '' }, index) => (
            <tr key={index}>
              <td>{name}</td>
              <td>{status === undefined ? verdict : `${verdict} ${status}`}</td>
              <td>{visible(detail)}</td>
            </tr>
          ))}
        </Table>
      )}
      {misses.length > 0 && (
        <Table label="The nearest routes that it was not for" heads={['Other route', 'Why not']}>
          {misses.map((each) => (
            <tr key={each.route}>
              <td>{each.route}</td>
              <td>{visible(each.detail)}</td>
            </tr>
          ))}
        </Table>
      )}
      {leaves.length > 0 && (
        <Table label="Where each value came from" heads={['Value', 'From', 'How']}>
          {leaves.map(({ pointer, origin, detail = '' }) => (
            <tr key={pointer}>
              <td>
                <code>{visible(pointer) || '/'}</code>
              </td>
              <td>{origin}</td>
              <td>{visible(detail)}</td>
            </tr>
          ))}
        </Table>
      )}
      {leftOut > 0 && <p class="soft">{leftOut} more values are left out</p>}
    </div>
  )
}

function rerunText({ done, same, compared = '', detail = '' }: NonNullable<Explanation['rerun']>): string {
  const outcome = !done ? 'no' : same === true ? `the same ${compared}` : `other ${compared}`
  return detail === '' ? outcome : `${outcome}: ${detail}`
}

function Pair({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{visible(value)}</dd>
    </div>
  )
}
