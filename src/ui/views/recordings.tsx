import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { bytesText, Field, OfGateway, Problem, Said, Section, Table, valueOf } from '../parts/common.tsx'
import { LongText } from '../parts/body-view.tsx'
import { useOpened } from '../parts/use-opened.ts'
import { useAction, useApi } from '../use-api.ts'
import { Comparison } from './comparison.tsx'
import { Exchanges } from './exchanges.tsx'

interface Recording {
  readonly directory: string
  readonly bytes: number
  readonly bodies: number
  readonly changed?: string
  readonly recording?: boolean
  readonly stopped?: string
  readonly writer?: string
}

interface Modes {
  readonly mode: string
  readonly rules?: readonly unknown[]
}

interface Made {
  readonly output: string
  readonly files: readonly string[]
  readonly report: string
}

/** Recordings: begin and end one, look into it, replay, compare, make routes of it. */
export function Recordings(): JSX.Element {
  const list = useApi<readonly Recording[]>('recordings', { all: true }, 2000)
  const modes = useApi<Modes>('modes', {}, 3000)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [made, setMade] = useState<Made | undefined>(undefined)
  const { said, run } = useAction()
  const { ref, onKeyDown } = useOpened<HTMLDivElement>(chosen, () => setChosen(undefined))
  const recordings = list.data ?? []
  const act = (what: string, body: unknown, done: string): void =>
    run(async () => {
      await ask('POST', `recordings/${what}`, { body })
      list.reload()
      modes.reload()
    }, done)
  return (
    <>
      <Section title="Record">
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault()
            act('start', { name: name || nameNow() }, 'Recording')
          }}
        >
          <Field label="Name of a new one">
            <input
              value={name}
              onInput={(event) => setName(valueOf(event).trim())}
              placeholder="by its time"
            />
          </Field>
          <button type="submit" class="main">
            Start
          </button>
          <button type="button" onClick={() => act('stop', {}, 'Stopped')}>
            Stop
          </button>
          <button type="button" onClick={() => act('resume', {}, 'Recording')}>
            Resume
          </button>
        </form>
        <p class="bar">
          <span>
            The gateway is in mode <strong>{modes.data?.mode ?? '…'}</strong>; what it forwards is recorded.
          </span>
          {modes.data?.mode === 'replay' && (
            <button
              type="button"
              onClick={() =>
                run(async () => {
                  await ask('PUT', 'modes', { body: { ...modes.data, mode: 'simulate' } })
                  modes.reload()
                }, 'Declared routes answer again')
              }
            >
              End the replay
            </button>
          )}
        </p>
        <Said said={said} />
      </Section>
      <Section title="Recordings">
        <Problem text={list.error} />
        <OfGateway name={list.gateway} />
        <Table label="Recordings" heads={['Recording', 'Size', 'State', '']}>
          {recordings.map((each) => (
            <tr key={each.directory} class={each.directory === chosen ? 'selected' : ''}>
              <td>
                <code>{each.directory}</code>
              </td>
              <td class="number">{bytesText(each.bytes)}</td>
              <td>{stateOf(each)}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Browse ${each.directory}`}
                  onClick={() => setChosen(each.directory === chosen ? undefined : each.directory)}
                >
                  Browse
                </button>
                <button
                  type="button"
                  aria-label={`Replay ${each.directory}`}
                  onClick={() => act('replay', { directory: each.directory }, 'The gateway replays it')}
                >
                  Replay
                </button>
                <button
                  type="button"
                  aria-label={`Make routes of ${each.directory}`}
                  onClick={() =>
                    run(async () => {
                      setMade(
                        await ask<Made>('POST', 'recordings/routes', { body: { directory: each.directory } }),
                      )
                    }, 'Written')
                  }
                >
                  Make routes
                </button>
              </td>
            </tr>
          ))}
        </Table>
        {list.data?.length === 0 && <p>There are none yet</p>}
      </Section>
      {made !== undefined && (
        <Section title="Routes that were made">
          <p>
            In <code>{made.output}</code>: {made.files.join(', ')}
          </p>
          <LongText text={made.report} label="Report" />
        </Section>
      )}
      {chosen !== undefined && (
        <div ref={ref} role="group" aria-label={`Browsing ${chosen}`} tabIndex={-1} onKeyDown={onKeyDown}>
          <Exchanges key={chosen} directory={chosen} />
        </div>
      )}
      <Comparison directories={recordings.map(({ directory }) => directory)} />
    </>
  )
}

function nameNow(): string {
  return new Date().toISOString().replaceAll(':', '-').slice(0, 19)
}

function stateOf({ recording, stopped, writer, changed }: Recording): string {
  if (stopped !== undefined) return `stopped: ${stopped}`
  if (recording === true) return 'recording'
  if (writer !== undefined) return `written by ${writer}`
  return changed === undefined ? '' : `changed ${changed.slice(0, 16).replace('T', ' ')}`
}
