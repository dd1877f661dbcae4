import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { durationText, Status } from '../parts/common.tsx'
import { visible } from '../parts/visible.ts'
import type { Entry } from './entry.ts'

const ROW = 30
const BEYOND = 8

/** The requests, the newest first; only those in sight are made. */
export function RequestList({
  entries,
  selected,
  onSelect,
  onOpen,
}: {
  readonly entries: readonly Entry[]
  readonly selected: number | undefined
  readonly onSelect: (id: number) => void
  readonly onOpen: (entry: Entry, isByKey: boolean) => void
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const before = useRef({ last: entries.at(-1)?.id, length: entries.length })
  const count = entries.length
  const at = (row: number): Entry | undefined => entries[count - 1 - row]
  const rowOf = (id: number | undefined): number => {
    const found = entries.findLastIndex((entry) => entry.id === id)
    return found < 0 ? -1 : count - 1 - found
  }

  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const look = new ResizeObserver(() => setView((known) => ({ ...known, height: element.clientHeight })))
    look.observe(element)
    return () => look.disconnect()
  }, [])
  // What is looked at stays in place while others come above it.
  useLayoutEffect(() => {
    const element = box.current
    const { last } = before.current
    const moved = last === undefined ? 0 : rowOf(last)
    if (element !== null && element.scrollTop > 0 && moved > 0) element.scrollTop += moved * ROW
    before.current = { last: entries.at(-1)?.id, length: count }
  }, [entries])

  const go = (row: number): void => {
    const entry = at(Math.max(0, Math.min(count - 1, row)))
    const element = box.current
    if (entry === undefined || element === null) return
    onSelect(entry.id)
    const top = rowOf(entry.id) * ROW
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW - element.clientHeight
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOf(selected)
    const chosen = at(row)
    const page = Math.floor(view.height / ROW)
    const rows: Readonly<Record<string, number>> = {
      ...{ ArrowDown: row + 1, ArrowUp: Math.max(0, row - 1), Home: 0, End: count - 1 },
      ...{ PageDown: row + page, PageUp: row - page },
    }
    const next = rows[event.key]
    if (event.key === 'Enter' && row >= 0 && chosen !== undefined) onOpen(chosen, true)
    else if (next === undefined) return
    else go(next)
    event.preventDefault()
  }

  const from = Math.max(0, Math.floor(view.top / ROW) - BEYOND)
  const to = Math.min(count, Math.ceil((view.top + view.height) / ROW) + BEYOND)
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  const isInSight = rows.some((row) => at(row)?.id === selected)
  return (
    <div
      ref={box}
      class="requests"
      role="listbox"
      aria-label="Requests, the newest first"
      tabIndex={0}
      aria-activedescendant={isInSight ? `request-${selected}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop, clientHeight } = event.currentTarget
        setView({ top: scrollTop, height: clientHeight })
      }}
    >
      <svg class="spacer" width="1" height={count * ROW} aria-hidden="true" />
      {rows.map((row) => {
        const entry = at(row)
        return (
          entry && (
            <Row
              key={entry.id}
              entry={entry}
              top={row * ROW}
              isSelected={entry.id === selected}
              place={row + 1}
              count={count}
              onClick={() => {
                onSelect(entry.id)
                onOpen(entry, false)
              }}
            />
          )
        )
      })}
    </div>
  )
}

function Row({
  entry,
  top,
  isSelected,
  place,
  count,
  onClick,
}: {
  readonly entry: Entry
  readonly top: number
  readonly isSelected: boolean
  readonly place: number
  readonly count: number
  readonly onClick: () => void
}): JSX.Element {
  const { id, method, url, status, duration_ms: ms, chaos, violations, isOpen } = entry
  return (
    <div
      id={`request-${id}`}
      class={isSelected ? 'row selected' : 'row'}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place}
      aria-setsize={count}
      style={{ top: `${top}px` }}
      onClick={onClick}
    >
      <span class="id">{id}</span>
      <span class="method">{method}</span>
      <span class="url">{visible(url)}</span>
      {chaos && <span class="mark">{chaos.join(', ')}</span>}
      {violations && <span class="mark bad">not as described</span>}
      {isOpen === true ? <span class="mark live">open</span> : <Status status={status} />}
      <span class="ms">{isOpen === true ? '…' : durationText(ms)}</span>
    </div>
  )
}
