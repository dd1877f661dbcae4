import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf, readEvents } from '../api.ts'
import { bytesText, durationText, Problem } from '../parts/common.tsx'
import { tabs } from '../tabs.ts'
import { visible } from '../parts/visible.ts'
import type { Message } from './har.ts'

const SHOWN = 500

/** The messages of an event stream or WebSocket, as they come. */
export function Messages({ id, isOpen }: { readonly id: number; readonly isOpen: boolean }): JSX.Element {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [error, setError] = useState<string | undefined>(undefined)
  const [mayFollow, setMayFollow] = useState(tabs.mayFollow)
  useEffect(() => tabs.subscribe(() => setMayFollow(tabs.mayFollow)), [])
  useEffect(() => {
    if (!mayFollow) return undefined
    const leaving = new AbortController()
    setMessages([])
    setError(undefined)
    readEvents(`requests/${id}/messages`, {}, leaving.signal, (events) => {
      const come = events.flatMap(({ event, data }) =>
        event === 'message' ? [JSON.parse(data) as Message] : [],
      )
      setMessages((before) => [...before, ...come].slice(-SHOWN))
    }).catch((failed: unknown) => {
      if (!leaving.signal.aborted) setError(messageOf(failed))
    })
    return () => leaving.abort()
  }, [id, mayFollow])
  if (error !== undefined) return <Problem text={error} />
  return (
    <>
      <p class="soft">{isOpen ? 'As they come' : 'It has ended'}</p>
      <ol class="messages" aria-live="polite" aria-label="Messages">
        {messages.map(({ number, at_ms: ms, direction, bytes, text, base64 = '' }) => (
          <li key={number}>
            <span class="soft">
              <span class={direction}>{direction === 'sent' ? '↑ sent' : '↓ received'}</span>{' '}
              {durationText(ms)}, {bytesText(bytes)}
            </span>
            <pre>{text === undefined ? hexOf(base64) : visible(text.slice(0, 10_000))}</pre>
          </li>
        ))}
      </ol>
      {messages.length === 0 && <p>None yet</p>}
    </>
  )
}

function hexOf(base64: string): string {
  const bytes = Uint8Array.from(atob(base64).slice(0, 1024), (each) => each.charCodeAt(0))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
}
