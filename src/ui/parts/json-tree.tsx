import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from './visible.ts'

const SHOWN = 100
const MAX_TEXT = 2000

/** A JSON value as a tree that opens and closes; only what is open is made. */
export function JsonTree({
  value,
  name,
  isOpen = true,
}: {
  readonly value: unknown
  readonly name?: string | undefined
  readonly isOpen?: boolean
}): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  const [shown, setShown] = useState(SHOWN)
  if (value === null || typeof value !== 'object')
    return (
      <div class="leaf">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    )
  const isList = Array.isArray(value)
  const keys = Object.keys(value)
  const size = isList ? `[${keys.length}]` : `{${keys.length}}`
  if (keys.length === 0)
    return (
      <div class="leaf">
        <Name name={name} />
        {isList ? '[]' : '{}'}
      </div>
    )
  return (
    <div class="node">
      <button type="button" class="twist" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? '▾' : '▸'}</span> <Name name={name} />
        {size}
      </button>
      {open && (
        <div class="children">
          {keys.slice(0, shown).map((key) => (
            <JsonTree
              key={key}
              name={key}
              value={(value as Record<string, unknown>)[key]}
              isOpen={keys.length <= 20 && size.length < 5}
            />
          ))}
          {keys.length > shown && (
            <button type="button" onClick={() => setShown(shown + SHOWN)}>
              {keys.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Name({ name }: { readonly name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : <span class="key">{visible(name)}: </span>
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  const [whole, setWhole] = useState(false)
  if (typeof value !== 'string') return <span class="literal">{String(value)}</span>
  const isLong = value.length > MAX_TEXT && !whole
  return (
    <span class="text">
      {visible(JSON.stringify(isLong ? value.slice(0, MAX_TEXT) : value))}
      {isLong && (
        <button type="button" onClick={() => setWhole(true)}>
          all {value.length} characters
        </button>
      )}
    </span>
  )
}
