import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** The longest text that is shown whole. */
const MAX_SHOWN = 100_000

/** A text to be taken elsewhere. Where the browser lets no page copy, it is selected. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [said, setSaid] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const isLong = text.length > MAX_SHOWN
  const byHand = isLong ? 'It is too long to be selected: save it' : 'Selected: press Ctrl+C'
  const copy = (): void => {
    area.current?.select()
    const { clipboard } = navigator as { readonly clipboard?: Clipboard }
    if (clipboard === undefined) return setSaid(byHand)
    clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid(byHand),
    )
  }
  return (
    <div>
      <textarea
        ref={area}
        readOnly
        rows={6}
        aria-label={label}
        value={isLong ? `${text.slice(0, MAX_SHOWN)}…` : text}
      />
      <p class="bar">
        <button type="button" onClick={copy}>
          Copy
        </button>
        {isLong && (
          <button type="button" onClick={() => saveFile(`${label}.txt`, text)}>
            Save all {text.length} characters
          </button>
        )}
        <span role="status">{said}</span>
      </p>
    </div>
  )
}

/** Has the browser save a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
