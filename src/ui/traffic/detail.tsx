import type { JSX, RefObject } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { BodyView } from '../parts/body-view.tsx'
import { durationText, Problem, Said, Section, Status, valueOf } from '../parts/common.tsx'
import { CopyText, saveFile } from '../parts/copy.tsx'
import { visible } from '../parts/visible.ts'
import { useAction, useApi } from '../use-api.ts'
import { COPY_FORMS } from './copy-forms.ts'
import type { Entry } from './entry.ts'
import { requestBodyOf, responseBodyOf, type Har } from './har.ts'
import { Messages } from './messages.tsx'
import { Why } from './why.tsx'

const PARTS = ['Response', 'Request', 'Messages', 'Why', 'Timing', 'Copy'] as const
type Part = (typeof PARTS)[number]

/** How often one that goes on is read again. */
const OPEN_EVERY_MS = 2000

/** One request in all its parts. */
export function Detail({
  box,
  entry,
  onClose,
}: {
  readonly box: RefObject<HTMLElement | null>
  readonly entry: Entry
  readonly onClose: () => void
}): JSX.Element {
  const { id, method, url, status, isOpen = false } = entry
  const [part, setPart] = useState<Part>('Response')
  const { data: har, error } = useApi<Har>(`requests/${id}/har`, {}, isOpen ? OPEN_EVERY_MS : undefined)
  const repro = useAction()
  return (
    <article ref={box} tabIndex={-1} class="detail" aria-label={`Request ${id}`}>
      <header>
        <div class="bar">
          <h2>
            <span class="method">{method}</span> <span class="url">{visible(url)}</span>{' '}
            {isOpen ? <span class="mark live">open</span> : <Status status={status} />}
          </h2>
          <span class="end">
            <button
              type="button"
              onClick={() =>
                repro.run(async () => {
                  const files = await ask('GET', `requests/${id}/repro`)
                  saveFile(`repro-${id}.json`, JSON.stringify(files, null, 2))
                }, 'Saved')
              }
            >
              Repro
            </button>
            <button type="button" onClick={onClose}>
              Close
            </button>
          </span>
        </div>
        <Said said={repro.said} />
        <nav class="parts" aria-label="Parts of the request">
          {PARTS.map((each) => (
            <button type="button" key={each} aria-pressed={part === each} onClick={() => setPart(each)}>
              {each}
            </button>
          ))}
        </nav>
      </header>
      <Problem text={error} />
      {part === 'Messages' && <Messages id={id} isOpen={isOpen} />}
      {part === 'Why' && (isOpen ? <p>It has not ended</p> : <Why id={id} />)}
      {har !== undefined && (
        <>
          {har._partial === true && part !== 'Why' && (
            <p class="soft">It came while no page was open: what is shown is what the journal keeps</p>
          )}
          {part === 'Response' && <ResponsePart har={har} entry={entry} />}
          {part === 'Request' && (
            <Section title="Request">
              <Headers of={har.request.headers} label="Headers of the request" />
              <BodyView body={requestBodyOf(har) ?? { mimeType: '', isBase64: false }} label="request body" />
            </Section>
          )}
          {part === 'Timing' && <Timing har={har} entry={entry} />}
          {part === 'Copy' && <Copy har={har} route={entry.route} />}
        </>
      )}
    </article>
  )
}

function ResponsePart({ har, entry }: { readonly har: Har; readonly entry: Entry }): JSX.Element {
  const { violations = [] } = entry
  return (
    <Section title="Response">
      {violations.length > 0 && (
        <ul class="bad">
          {violations.map(({ side, message }, index) => (
            <li key={index}>
              {side}: {visible(message)}
            </li>
          ))}
        </ul>
      )}
      <Headers of={har.response.headers} label="Headers of the response" />
      <BodyView body={responseBodyOf(har)} label="response body" />
    </Section>
  )
}

function Headers({
  of,
  label,
}: {
  readonly of: readonly { readonly name: string; readonly value: string }[]
  readonly label: string
}): JSX.Element {
  if (of.length === 0) return <p class="soft">{label} are not known</p>
  return (
    <dl class="pairs" aria-label={label}>
      {of.map(({ name, value }, index) => (
        <div key={index}>
          <dt>{visible(name)}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Timing({ har, entry }: { readonly har: Har; readonly entry: Entry }): JSX.Element {
  const { wait, receive } = har.timings
  const total = Math.max(wait + receive, 0.001)
  const held = entry.chaos?.find((each) => each.startsWith('latency'))
  return (
    <Section title="Timing">
      <svg
        class="timing"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label="Share of each phase"
      >
        <rect class="wait" x="0" y="0" width={(wait / total) * 100} height="6" />
        <rect class="receive" x={(wait / total) * 100} y="0" width={(receive / total) * 100} height="6" />
      </svg>
      <dl class="pairs">
        <div>
          <dt>Came</dt>
          <dd>{entry.time}</dd>
        </div>
        <div>
          <dt>Until the response began</dt>
          <dd>
            {durationText(wait)}
            {held !== undefined && `, held by ${held}`}
          </dd>
        </div>
        <div>
          <dt>Sending it</dt>
          <dd>{durationText(receive)}</dd>
        </div>
        <div>
          <dt>In all</dt>
          <dd>{durationText(entry.duration_ms)}</dd>
        </div>
      </dl>
    </Section>
  )
}

function Copy({ har, route }: { readonly har: Har; readonly route: string | undefined }): JSX.Element {
  const [form, setForm] = useState('curl')
  const text = useMemo(() => COPY_FORMS[form]?.(har, route) ?? '', [form, har, route])
  return (
    <Section title="Copy">
      <label>
        As{' '}
        <select value={form} onChange={(event) => setForm(valueOf(event))}>
          {Object.keys(COPY_FORMS).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <CopyText text={text} label={`The request as ${form}`} />
    </Section>
  )
}
