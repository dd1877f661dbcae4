import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field, Said, Section, valueOf } from '../parts/common.tsx'
import { useAction } from '../use-api.ts'
import type { RouteRow } from './route-row.ts'

/** An answer that is given in place of others. */
export interface Override {
  readonly id: number
  readonly used: number
  readonly route?: string
  readonly method?: string
  readonly path?: string
  readonly status: number
  readonly times?: number
}

/** Gives one answer in place of what would be answered. */
export function OverrideForm({
  route,
  onAdded,
}: {
  readonly route: RouteRow | undefined
  readonly onAdded: () => void
}): JSX.Element {
  const [path, setPath] = useState('/**')
  const [status, setStatus] = useState('503')
  const [latency, setLatency] = useState('0')
  const [times, setTimes] = useState('1')
  const [body, setBody] = useState('')
  const { said, run } = useAction()
  const add = async (): Promise<void> => {
    const latencyMs = Number(latency)
    await ask('POST', 'overrides', {
      body: {
        ...(route === undefined ? { path } : { route: route.route }),
        status: Number(status),
        ...(latencyMs > 0 && { latency_ms: latencyMs }),
        ...(times !== '' && { times: Number(times) }),
        ...bodyOf(body),
      },
    })
    onAdded()
  }
  return (
    <Section title="Override an answer">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(add, 'In force')
        }}
      >
        {route === undefined ? (
          <Field label="Paths it is for" wide>
            <input value={path} onInput={(event) => setPath(valueOf(event))} required />
          </Field>
        ) : (
          <p>
            For <code>{route.route}</code>
          </p>
        )}
        <div class="fields">
          <Field label="Status to answer">
            <input
              type="number"
              min={200}
              max={599}
              value={status}
              required
              onInput={(event) => setStatus(valueOf(event))}
            />
          </Field>
          <Field label="Latency in ms">
            <input type="number" min={0} value={latency} onInput={(event) => setLatency(valueOf(event))} />
          </Field>
          <Field label="How often">
            <select value={times} onChange={(event) => setTimes(valueOf(event))}>
              <option value="1">once</option>
              <option value="3">three times</option>
              <option value="">until it is removed</option>
            </select>
          </Field>
        </div>
        <Field label="Body to answer: JSON, or a text" wide>
          <textarea rows={4} value={body} onInput={(event) => setBody(valueOf(event))} placeholder="none" />
        </Field>
        <p class="bar">
          <button type="submit" class="main">
            Override
          </button>
        </p>
        <Said said={said} />
      </form>
    </Section>
  )
}

function bodyOf(text: string): { readonly body?: unknown; readonly text?: string } {
  if (text.trim() === '') return {}
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { text }
  }
}
