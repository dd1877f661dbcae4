import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from './visible.ts'

const SHOWN = 100
const MAX_NAME = 500
const MAX_TEXT = 2000
const MORE_TEXT = 100_000
/** How many nodes are open at first, however deep and wide a value is. */
const MAX_OPEN = 400

/** A JSON value as a tree that opens and closes; only what is open is made. */
export function JsonTree({
  value,
  name,
  room = MAX_OPEN,
}: {
  readonly value: unknown
  readonly name?: string | undefined
  /** How many nodes may be open in it. */
  readonly room?: number
}): JSX.Element {
  const keys = value === null || typeof value !== 'object' ? [] : Object.keys(value)
  const [open, setOpen] = useState(room >= Math.min(keys.length, SHOWN))
  const [shown, setShown] = useState(SHOWN)
  if (value === null || typeof value !== 'object')
    return (
      <div class="leaf">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    )
  const isList = Array.isArray(value)
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
              room={keys.length > 20 ? 0 : Math.floor((room - keys.length) / (keys.length + 1))}
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
  return name === undefined ? null : (
    <span class="key">{visible(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)}: </span>
  )
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  const [shown, setShown] = useState(MAX_TEXT)
  if (typeof value !== 'string') return <span class="literal">{String(value)}</span>
  return (
    <span class="text">
      {visible(JSON.stringify(value.slice(0, shown)))}
      {value.length > shown && (
        <button type="button" onClick={() => setShown(shown + MORE_TEXT)}>
          {value.length - shown} more characters
        </button>
      )}
    </span>
  )
}
