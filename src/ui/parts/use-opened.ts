import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** What a part that opens and closes has on its element. */
export interface Opened<Part extends HTMLElement> {
  readonly ref: RefObject<Part | null>
  /** Closes it with Escape. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Moves the focus into a part that opens, and back when it closes: nobody has to look for it with Tab.
 * @param shown what is shown; the part is closed where this is `undefined`
 * @param takesFocus whether opening moves the focus; where it is `false`, it stays if what has it is still in sight
 */
export function useOpened<Part extends HTMLElement>(
  shown: unknown,
  close: () => void,
  takesFocus = true,
): Opened<Part> {
  const ref = useRef<Part>(null)
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (shown !== undefined) {
      if (ref.current?.contains(focused) !== true) opener.current = focused
      if (takesFocus || focused?.checkVisibility() !== true) ref.current?.focus()
      return
    }
    // Whoever went elsewhere stays there.
    const isLost = focused === null || focused === document.body || ref.current?.contains(focused) === true
    if (isLost && opener.current instanceof HTMLElement) opener.current.focus()
    opener.current = null
  }, [shown])
  return {
    ref,
    onKeyDown(event) {
      if (event.key !== 'Escape' || shown === undefined) return
      event.preventDefault()
      event.stopPropagation()
      close()
    },
  }
}
