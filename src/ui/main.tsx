import { render, type JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { access, ApiError, ask, keepToken, messageOf } from './api.ts'
import { Field, valueOf } from './parts/common.tsx'
import { tabs } from './tabs.ts'
import { createFeed } from './traffic/feed.ts'
import { Traffic } from './traffic/traffic.tsx'
import { useApi } from './use-api.ts'
import { Chaos } from './views/chaos.tsx'
import { Metrics } from './views/metrics.tsx'
import { Recordings } from './views/recordings.tsx'
import { Routes } from './views/routes.tsx'
import { State } from './views/state.tsx'
import './style.css'

const VIEWS = ['traffic', 'routes', 'chaos', 'recordings', 'state', 'metrics'] as const
type View = (typeof VIEWS)[number]
const TITLES: Readonly<Record<View, string>> = {
  ...{ traffic: 'Traffic', routes: 'Routes', chaos: 'Chaos' },
  ...{ recordings: 'Recordings', state: 'State', metrics: 'Metrics' },
}

function App(): JSX.Element {
  const [state, setState] = useState('reading')
  const [tries, setTries] = useState(0)
  const check = (): void => {
    ask('GET', 'health').then(
      () => setState('open'),
      (error: unknown) =>
        setState(error instanceof ApiError && error.status === 401 ? 'closed' : messageOf(error)),
    )
    setTries((before) => before + 1)
  }
  useEffect(() => {
    access.onRefused = () => setState('closed')
    check()
  }, [])
  if (state === 'reading') return <main aria-busy="true" />
  if (state === 'closed') return <TokenForm key={tries} onToken={check} />
  if (state === 'open') return <Page />
  return (
    <main class="alone">
      <h1>sim</h1>
      <p role="alert" class="bad">
        {state}
      </p>
      <button type="button" onClick={check}>
        Try again
      </button>
    </main>
  )
}

function TokenForm({ onToken }: { readonly onToken: () => void }): JSX.Element {
  const [token, setToken] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const wasRefused = access.token !== ''
  return (
    <main class="alone">
      <h1>sim</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keepToken(token)
          onToken()
        }}
      >
        <Field label="Admin token" wide>
          <input
            ref={field}
            type="password"
            autocomplete="off"
            value={token}
            required
            onInput={(event) => setToken(valueOf(event).trim())}
          />
        </Field>
        <p class="soft">It is kept for this tab alone.</p>
        {wasRefused && <p role="alert">The gateway does not take this token</p>}
        <button type="submit" class="main">
          Open
        </button>
      </form>
    </main>
  )
}

function viewIn(hash: string): View {
  const name = hash.replace(/^#\/?/, '')
  return VIEWS.find((view) => view === name) ?? 'traffic'
}

interface Health {
  readonly status: string
  readonly mode: string
  readonly seed: number | string
}

function Page(): JSX.Element {
  const [view, setView] = useState(viewIn(location.hash))
  const [session, setSession] = useState('')
  const health = useApi<Health>('health', {}, 5000)
  const { data: sessions = [] } = useApi<readonly { readonly key: string }[]>('sessions', {}, 5000)
  const feed = useMemo(createFeed, [])
  useEffect(() => {
    const hold = (): void => feed.hold(!tabs.mayFollow)
    hold()
    const stop = tabs.subscribe(hold)
    return () => {
      stop()
      feed.leave()
    }
  }, [feed])
  useEffect(() => {
    const change = (): void => setView(viewIn(location.hash))
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  useEffect(() => {
    document.title = `${TITLES[view]} – sim`
  }, [view])
  const choose = (key: string): void => {
    access.session = key
    setSession(key)
  }
  const keys = [...new Set(['', session, ...sessions.map(({ key }) => key)])]
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        To the content
      </a>
      <header class="top">
        <h1>sim</h1>
        <nav aria-label="Views">
          {VIEWS.map((each) => (
            <a key={each} href={`#/${each}`} aria-current={each === view ? 'page' : undefined}>
              {TITLES[each]}
            </a>
          ))}
        </nav>
        <span class="end bar">
          {health.data !== undefined && (
            <span class="soft">
              {health.data.mode}, seed {health.data.seed}
              {health.data.status === 'ok' ? '' : `, ${health.data.status}`}
            </span>
          )}
          {health.error !== undefined && <span class="bad">not connected</span>}
          <label>
            Session{' '}
            <select value={session} onChange={(event) => choose(valueOf(event))}>
              {keys.map((key) => (
                <option key={key} value={key}>
                  {key === '' ? 'without a name' : key}
                </option>
              ))}
            </select>
          </label>
        </span>
      </header>
      <main id="main" tabIndex={-1} key={view === 'traffic' ? 'traffic' : `${view} ${session}`}>
        {view === 'traffic' && <Traffic feed={feed} session={session} />}
        {view === 'routes' && <Routes />}
        {view === 'chaos' && <Chaos />}
        {view === 'recordings' && <Recordings />}
        {view === 'state' && <State onSession={choose} />}
        {view === 'metrics' && <Metrics />}
      </main>
    </>
  )
}

function skip(event: Event): void {
  event.preventDefault()
  document.querySelector('main')?.focus()
}

const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
