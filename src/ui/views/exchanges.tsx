import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { BodyView } from '../parts/body-view.tsx'
import { bytesText, durationText, Problem, Said, Section, Status, Table } from '../parts/common.tsx'
import { visible } from '../parts/visible.ts'
import { requestBodyOf, responseBodyOf, type Har } from '../traffic/har.ts'
import { useOpened } from '../parts/use-opened.ts'
import { useAction, useApi } from '../use-api.ts'

interface Line {
  readonly number: number
  readonly time: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly bytes: number
  readonly duration_ms: number
}

/** The exchanges of one recording, and one of them whole. */
export function Exchanges({ directory }: { readonly directory: string }): JSX.Element {
  const first = useApi<readonly Line[]>('recordings/exchanges', { directory })
  const [more, setMore] = useState<readonly Line[]>([])
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const { said, run } = useAction()
  const { ref, onKeyDown } = useOpened<HTMLDivElement>(chosen, () => setChosen(undefined))
  const lines = [...(first.data ?? []), ...more]
  return (
    <Section title={`Exchanges of ${directory}`}>
      <Problem text={first.error} />
      <Table label="Exchanges" heads={['Number', 'Request', 'Status', 'Size', 'Time', '']}>
        {lines.map(({ number, method, url, status, bytes, duration_ms: ms }) => (
          <tr key={number} class={number === chosen ? 'selected' : ''}>
            <td class="number">{number}</td>
            <td>
              <span class="method">{method}</span> {visible(url)}
            </td>
            <td>
              <Status status={status} />
            </td>
            <td class="number">{bytesText(bytes)}</td>
            <td class="number">{durationText(ms)}</td>
            <td>
              <button type="button" aria-label={`Show exchange ${number}`} onClick={() => setChosen(number)}>
                Show
              </button>
            </td>
          </tr>
        ))}
      </Table>
      <p class="bar">
        <button
          type="button"
          onClick={() =>
            run(async () => {
              const after = lines.at(-1)?.number ?? 0
              const next = await ask<readonly Line[]>('GET', 'recordings/exchanges', {
                query: { directory, after },
              })
              setMore([...more, ...next])
              if (next.length === 0) throw new Error('That is all')
            })
          }
        >
          More
        </button>
      </p>
      <Said said={said} />
      {chosen !== undefined && (
        <div ref={ref} role="group" aria-label={`Exchange ${chosen}`} tabIndex={-1} onKeyDown={onKeyDown}>
          <One directory={directory} number={chosen} />
        </div>
      )}
    </Section>
  )
}

function One({ directory, number }: { readonly directory: string; readonly number: number }): JSX.Element {
  const { data: har, error } = useApi<Har>('recordings/exchange', { directory, number })
  if (har === undefined) return <Problem text={error} />
  const sent = requestBodyOf(har)
  return (
    <div>
      <h3>
        {har.request.method} {visible(har.request.url)}
      </h3>
      {sent !== undefined && <BodyView body={sent} label="request body" />}
      <BodyView body={responseBodyOf(har)} label="response body" />
    </div>
  )
}
