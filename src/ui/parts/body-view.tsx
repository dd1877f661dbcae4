import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { bytesText, valueOf } from './common.tsx'
import { JsonTree } from './json-tree.tsx'
import { visible } from './visible.ts'

/** A body as HAR has it. */
export interface ShownBody {
  readonly mimeType: string
  readonly text?: string
  readonly isBase64: boolean
  readonly omitted?: string | undefined
}

const FORMS = ['JSON', 'Form', 'Image', 'Text', 'Hex'] as const
type Form = (typeof FORMS)[number]

/** A body, decoded in one of several ways. */
export function BodyView({ body, label }: { readonly body: ShownBody; readonly label: string }): JSX.Element {
  const bytes = useMemo(() => bytesOf(body), [body])
  const text = useMemo(
    () => (body.isBase64 ? new TextDecoder().decode(bytes) : (body.text ?? '')),
    [body, bytes],
  )
  const json = useMemo(() => parse(text), [text])
  const [chosen, setChosen] = useState<Form | undefined>(undefined)
  const type = body.mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
  const fitting = FORMS.filter(
    (form) =>
      form === 'Text' ||
      form === 'Hex' ||
      (form === 'JSON' && json !== undefined) ||
      (form === 'Form' && (type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data')) ||
      (form === 'Image' && type.startsWith('image/')),
  )
  const first = fitting[0] === 'Text' && body.isBase64 ? 'Hex' : (fitting[0] ?? 'Text')
  const form = chosen !== undefined && fitting.includes(chosen) ? chosen : first
  if (body.text === undefined) return <p class="soft">{body.omitted ?? 'No body'}</p>
  return (
    <div>
      <p class="bar">
        <label>
          Show {label} as{' '}
          <select value={form} onChange={(event) => setChosen(valueOf(event) as Form)}>
            {fitting.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <span class="soft">
          {visible(body.mimeType) || 'no type'}, {bytesText(bytes.length)}
          {body.omitted === undefined ? '' : `; cut off: ${body.omitted}`}
        </span>
      </p>
      {form === 'JSON' && (
        <div class="code" tabIndex={0} role="region" aria-label={`${label} as JSON`}>
          <JsonTree value={json?.value} />
        </div>
      )}
      {form === 'Form' && <FormView text={text} type={body.mimeType} />}
      {form === 'Image' && <ImageView bytes={bytes} type={type} />}
      {form === 'Text' && <LongText text={text} label={`${label} as text`} />}
      {form === 'Hex' && <HexView bytes={bytes} label={`${label} in hex`} />}
    </div>
  )
}

function parse(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function bytesOf({ text = '', isBase64 }: ShownBody): Uint8Array<ArrayBuffer> {
  if (!isBase64) return new TextEncoder().encode(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

const STEP = 100_000

/** A text of any length, of which a part is shown at first. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [shown, setShown] = useState(STEP)
  return (
    <>
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {visible(text.slice(0, shown))}
      </pre>
      {text.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          {text.length - shown} more characters
        </button>
      )}
    </>
  )
}

function HexView({ bytes, label }: { readonly bytes: Uint8Array; readonly label: string }): JSX.Element {
  const [shown, setShown] = useState(2048)
  const lines: string[] = []
  for (let at = 0; at < Math.min(bytes.length, shown); at += 16) {
    const row = [...bytes.subarray(at, at + 16)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`)
  }
  return (
    <>
      <pre class="code hex" tabIndex={0} role="region" aria-label={label}>
        {lines.join('\n')}
      </pre>
      {bytes.length > shown && (
        <button type="button" onClick={() => setShown(shown + 16_384)}>
          {bytes.length - shown} more bytes
        </button>
      )}
    </>
  )
}

function ImageView({
  bytes,
  type,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}): JSX.Element {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, type])
  return url === '' ? <p>…</p> : <img class="preview" src={url} alt="What the body shows" />
}

const SHOWN_FIELDS = 200

function FormView({ text, type }: { readonly text: string; readonly type: string }): JSX.Element {
  const [shown, setShown] = useState(SHOWN_FIELDS)
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? []
  const pairs: (readonly [string, string])[] =
    boundary === undefined
      ? [...new URLSearchParams(text.split('&', shown).join('&'))]
      : text
          .split(`--${boundary}`, shown + 2)
          .slice(1, -1)
          .map((part) => {
            const [head = '', ...rest] = part.split('\r\n\r\n')
            return [
              /name="([^"]*)"/.exec(head)?.[1] ?? '',
              rest.join('\r\n\r\n').replace(/\r\n$/, ''),
            ] as const
          })
  return (
    <>
      <dl class="pairs">
        {pairs.map(([name, value], index) => (
          <div key={index}>
            <dt>{visible(name.slice(0, STEP))}</dt>
            <dd>{visible(value.slice(0, STEP))}</dd>
          </div>
        ))}
      </dl>
      {pairs.length >= shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN_FIELDS)}>
          More fields
        </button>
      )}
    </>
  )
}
