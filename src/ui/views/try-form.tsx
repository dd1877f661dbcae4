import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { access, GATEWAY, messageOf } from '../api.ts'
import { BodyView, type ShownBody } from '../parts/body-view.tsx'
import { durationText, Field, Section, Status, valueOf } from '../parts/common.tsx'
import { visible } from '../parts/visible.ts'
import type { RouteRow } from './route-row.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface Outcome {
  readonly status?: number
  readonly ms: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: ShownBody
  readonly error?: string
}

/** Sends one request to the gateway. */
export function TryForm({ route }: { readonly route: RouteRow | undefined }): JSX.Element {
  const [method, setMethod] = useState(route?.method ?? 'GET')
  const [path, setPath] = useState((route?.path ?? '/').replaceAll(/\{[^{}]*\}/g, '1'))
  const [headers, setHeaders] = useState('')
  const [body, setBody] = useState('')
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const methods = METHODS.includes(method) ? METHODS : [...METHODS, method]
  const hasBody = !['GET', 'HEAD'].includes(method)
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    send(method, path, headers, hasBody ? body : '').then(setOutcome, (error: unknown) =>
      setOutcome({ ms: 0, headers: [], error: messageOf(error) }),
    )
  }
  return (
    <Section title="Try a request">
      <form onSubmit={onSubmit}>
        <div class="fields">
          <Field label="Method to send">
            <select value={method} onChange={(event) => setMethod(valueOf(event))}>
              {methods.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </Field>
          <Field label="Path and query" wide>
            <input value={path} onInput={(event) => setPath(valueOf(event))} required />
          </Field>
        </div>
        {route?.host !== undefined && (
          <p class="soft">
            This route is of the host {route.host}, which no page can name: send it by other means.
          </p>
        )}
        <Field label="Headers, one a line" wide>
          <textarea
            rows={2}
            value={headers}
            onInput={(event) => setHeaders(valueOf(event))}
            placeholder="x-tenant: acme"
          />
        </Field>
        {hasBody && (
          <Field label="Body to send" wide>
            <textarea rows={4} value={body} onInput={(event) => setBody(valueOf(event))} placeholder="{ }" />
          </Field>
        )}
        <p class="bar">
          <button type="submit" class="main">
            Send
          </button>
          <span role="status">
            {outcome?.error !== undefined && <span class="bad">{outcome.error}</span>}
            {outcome?.status !== undefined && (
              <>
                <Status status={outcome.status} /> in {durationText(outcome.ms)}
              </>
            )}
          </span>
        </p>
      </form>
      {outcome?.body !== undefined && (
        <>
          <dl class="pairs" aria-label="Headers of the answer">
            {outcome.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{visible(value)}</dd>
              </div>
            ))}
          </dl>
          <BodyView body={outcome.body} label="answer" />
        </>
      )}
    </Section>
  )
}

async function send(method: string, path: string, lines: string, body: string): Promise<Outcome> {
  const url = new URL(path.replace(/^\/+/, ''), GATEWAY)
  const headers = new Headers()
  for (const line of lines.split('\n').filter((each) => each.includes(':'))) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  if (access.session !== '') headers.set('x-sim-session', access.session)
  if (body !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const started = performance.now()
  const response = await fetch(url, { method, headers, ...(body !== '' && { body }), cache: 'no-store' })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    ms: performance.now() - started,
    headers: [...response.headers],
    body: shownBody(bytes, response.headers.get('content-type') ?? ''),
  }
}

function shownBody(bytes: Uint8Array, mimeType: string): ShownBody {
  try {
    return { mimeType, isBase64: false, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    return { mimeType, isBase64: true, text: btoa(text) }
  }
}
