import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field, Problem, valueOf } from '../parts/common.tsx'
import { useOpened } from '../parts/use-opened.ts'
import { Detail } from './detail.tsx'
import { NO_FILTERS, type Entry, type Filters } from './entry.ts'
import type { Feed } from './feed.ts'
import { RequestList } from './request-list.tsx'

const MODES = ['simulate', 'forward', 'record', 'replay', 'spy', 'new-episodes', 'diff', 'shadow']

interface Opening {
  readonly entry: Entry
  readonly isByKey: boolean
}

/** The requests as they come, and one of them in detail. */
export function Traffic({ feed, session }: { readonly feed: Feed; readonly session: string }): JSX.Element {
  const [state, setState] = useState(feed.state)
  const [filters, setFilters] = useState(NO_FILTERS)
  const [selected, setSelected] = useState<number | undefined>(undefined)
  const [opened, setOpened] = useState<Opening | undefined>(undefined)
  const close = (): void => setOpened(undefined)
  const { ref, onKeyDown } = useOpened<HTMLElement>(opened, close, opened?.isByKey)
  useEffect(() => feed.subscribe(() => setState(feed.state)), [feed])
  useEffect(() => {
    // While somebody types, the list would begin anew with each letter.
    const timer = setTimeout(() => feed.follow(filters), 250)
    return () => clearTimeout(timer)
  }, [feed, filters, session])
  const { entries, skipped, dropped, waiting, isPaused, isLive, isHeld, error, restarts } = state
  const entry = opened && (entries.findLast(({ id }) => id === opened.entry.id) ?? opened.entry)
  // What a gateway that was started anew says of this number is of another request.
  useEffect(close, [session, restarts])
  return (
    <div class={entry === undefined ? 'traffic' : 'traffic with-detail'} onKeyDown={onKeyDown}>
      <section aria-label="Requests" class="list">
        <FilterForm filters={filters} onChange={setFilters} />
        <div class="bar">
          <button type="button" aria-pressed={isPaused} onClick={() => feed.pause(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </button>
          <button
            type="button"
            onClick={() => {
              void ask('DELETE', 'requests').catch(() => undefined)
              feed.clear()
              close()
            }}
          >
            Clear
          </button>
          <span role="status">
            {entries.length} requests
            {skipped > 0 && `, ${skipped} came too fast to be listed`}
            {dropped > 0 && `, ${dropped} older ones left out`}
            {waiting > 0 && `, ${waiting} waiting`}
            {isHeld && ', left to other tabs until you click here'}
            {!isLive && !isHeld && ', not connected'}
          </span>
        </div>
        <Problem text={error} />
        <RequestList
          entries={entries}
          selected={selected}
          onSelect={setSelected}
          onOpen={(each, isByKey) => setOpened({ entry: each, isByKey })}
        />
      </section>
      {entry !== undefined && <Detail key={entry.id} box={ref} entry={entry} onClose={close} />}
    </div>
  )
}

function FilterForm({
  filters,
  onChange,
}: {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}): JSX.Element {
  const set =
    (name: keyof Filters) =>
    (event: { readonly currentTarget: { readonly value: string } }): void =>
      onChange({ ...filters, [name]: valueOf(event).trim() })
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Field label="Method">
        <input size={6} value={filters.method} onInput={set('method')} placeholder="any" />
      </Field>
      <Field label="Path">
        <input size={12} value={filters.path} onInput={set('path')} placeholder="/users/**" />
      </Field>
      <Field label="Status">
        <input
          size={4}
          inputMode="numeric"
          value={filters.status}
          onInput={set('status')}
          placeholder="any"
        />
      </Field>
      <Field label="Mode">
        <select value={filters.mode} onChange={set('mode')}>
          <option value="">any</option>
          {MODES.map((mode) => (
            <option key={mode}>{mode}</option>
          ))}
        </select>
      </Field>
      <Field label="Sessions">
        <select value={filters.session} onChange={set('session')}>
          <option value="">this one</option>
          <option value="*">all</option>
        </select>
      </Field>
      <Field label="Expression" wide>
        <input
          value={filters.filter}
          onInput={set('filter')}
          placeholder="status ge 400 and contains(path,'users')"
        />
      </Field>
    </form>
  )
}
