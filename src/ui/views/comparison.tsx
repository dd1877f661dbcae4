import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field, Said, Section, Table, valueOf } from '../parts/common.tsx'
import { visible } from '../parts/visible.ts'
import { useAction } from '../use-api.ts'

interface Drift {
  readonly change: string
  readonly severity: string
  readonly part: string
  readonly pointer: string
  readonly expected?: string
  readonly actual?: string
  readonly exchanges: number
}

interface Report {
  readonly drifts: number
  readonly exchanges: number
  readonly routes: readonly { readonly route: string; readonly drifts: readonly Drift[] }[]
}

/** How one recording differs from another, side by side. */
export function Comparison({ directories }: { readonly directories: readonly string[] }): JSX.Element {
  const [one, setOne] = useState('')
  const [other, setOther] = useState('')
  const [report, setReport] = useState<Report | undefined>(undefined)
  const { said, run } = useAction()
  const [against = '', directory = against] = directories
  const compare = async (): Promise<void> => {
    setReport(undefined)
    const query = { directory: one || directory, against: other || against }
    setReport(await ask<Report>('GET', 'recordings/diff', { query }))
  }
  const choice = (label: string, value: string, onChange: (value: string) => void): JSX.Element => (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(valueOf(event))}>
        {directories.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </Field>
  )
  return (
    <Section title="Compare two">
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          run(compare)
        }}
      >
        {choice('Expected', other || against, setOther)}
        {choice('Actual', one || directory, setOne)}
        <button type="submit" disabled={directories.length === 0}>
          Compare
        </button>
      </form>
      <Said said={said} />
      {report !== undefined && (
        <p>
          {report.drifts} differences in {report.exchanges} exchanges
        </p>
      )}
      {(report?.routes ?? [])
        .filter(({ drifts }) => drifts.length > 0)
        .map(({ route, drifts }) => (
          <div key={route}>
            <h3>
              <code>{route}</code>
            </h3>
            <Table
              label={`Differences of ${route}`}
              heads={['Where', 'Change', 'Expected', 'Actual', 'Exchanges']}
            >
              {drifts.map((each, index) => (
                <tr key={index}>
                  <td>
                    {each.part} <code>{visible(each.pointer)}</code>
                  </td>
                  <td>
                    {each.change}, {each.severity}
                  </td>
                  <td>{visible(each.expected ?? '')}</td>
                  <td>{visible(each.actual ?? '')}</td>
                  <td class="number">{each.exchanges}</td>
                </tr>
              ))}
            </Table>
          </div>
        ))}
    </Section>
  )
}
