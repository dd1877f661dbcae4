import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { messageOf, read, type Answered } from './api.ts'

/** An answer of the control plane, as far as it is known. */
export interface Loaded<Answer> {
  readonly data: Answer | undefined
  /** Of several gateways with a shared state, the one that the answer is about, where it is about one. */
  readonly gateway: string | undefined
  readonly error: string | undefined
  /** Asks again. */
  reload(): void
  /** Puts an answer that came otherwise in place. */
  set(data: Answer): void
}

/** Asks the control plane, again whenever the path changes, and every so often where that is wanted. */
export function useApi<Answer>(
  path: string | undefined,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
  everyMs?: number,
): Loaded<Answer> {
  const [answered, setAnswered] = useState<Answered<Answer> | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify([path, query])
  const latest = useRef(key)
  latest.current = key
  useEffect(() => {
    if (path === undefined) return undefined
    const load = (): void => {
      read<Answer>(path, query)
        .then((answer) => {
          if (latest.current === key) {
            setAnswered(answer)
            setError(undefined)
          }
          return undefined
        })
        .catch((failed: unknown) => {
          if (latest.current === key) setError(messageOf(failed))
        })
    }
    load()
    if (everyMs === undefined) return undefined
    const timer = setInterval(load, everyMs)
    return () => clearInterval(timer)
  }, [key, turn, everyMs])
  const gateway = answered?.gateway
  return {
    ...{ data: answered?.data, gateway, error },
    reload: useCallback(() => setTurn((before) => before + 1), []),
    set: (data) => setAnswered({ data, gateway }),
  }
}

/** Does something that may fail, and says what happened. */
export function useAction(): {
  readonly said: { readonly text: string; readonly isError: boolean } | undefined
  /** @param done what is said afterwards; nothing where it is empty */
  run(work: () => Promise<unknown>, done?: string): void
} {
  const [said, setSaid] = useState<{ text: string; isError: boolean } | undefined>(undefined)
  const run = useCallback((work: () => Promise<unknown>, done = ''): void => {
    setSaid(undefined)
    const section = document.activeElement?.closest('section')
    Promise.resolve()
      .then(work)
      .then(() => setSaid(done === '' ? undefined : { text: done, isError: false }))
      .catch((error: unknown) => setSaid({ text: messageOf(error), isError: true }))
      .finally(() => requestAnimationFrame(() => keepFocus(section)))
  }, [])
  return { said, run }
}

// What was pressed may be gone, and Tab would begin at the top of the page.
function keepFocus(section: HTMLElement | null | undefined): void {
  if (document.activeElement !== document.body || section?.isConnected !== true) return
  section.tabIndex = -1
  section.focus()
}
