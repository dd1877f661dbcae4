import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field, Problem, Said, Section, valueOf } from '../parts/common.tsx'
import { useAction, useApi } from '../use-api.ts'

interface ClockState {
  readonly now: string
  readonly frozen: boolean
}

/** The clock of the session, which can stand still and be moved on. */
export function Clock(): JSX.Element {
  const clock = useApi<ClockState>('clock', {}, 1000)
  const [seconds, setSeconds] = useState('60')
  const { said, run } = useAction()
  const change = (what: string, body: unknown): void =>
    run(async () => clock.set(await ask<ClockState>('POST', `clock/${what}`, { body })))
  return (
    <Section title="Clock">
      <Problem text={clock.error} />
      <p>
        <strong class="time">{clock.data?.now ?? '…'}</strong>{' '}
        {clock.data?.frozen === true ? (
          <span class="mark">stands still</span>
        ) : (
          <span class="mark">runs</span>
        )}
      </p>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          change('advance', { ms: Number(seconds) * 1000 })
        }}
      >
        <button type="button" onClick={() => change('freeze', {})}>
          Freeze
        </button>
        <Field label="Seconds">
          <input
            type="number"
            min={0}
            step="any"
            value={seconds}
            onInput={(event) => setSeconds(valueOf(event))}
          />
        </Field>
        <button type="submit">Advance</button>
        <button type="button" onClick={() => change('reset', {})}>
          As the machine
        </button>
      </form>
      <Said said={said} />
    </Section>
  )
}
