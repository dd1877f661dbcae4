import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** What a box whose controls are one stop for Tab has on its element. */
export interface OneStop {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocusIn: (event: FocusEvent) => void
}

const STEPS: Readonly<Record<string, readonly [rows: number, controls: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
}

/** Makes the controls of a table one stop for Tab, with arrows between them (the grid pattern of ARIA's authoring practices). */
export function useOneStop(): OneStop {
  const ref = useRef<HTMLDivElement>(null)
  const settle = (chosen?: Element): void => {
    const box = ref.current
    if (box === null) return
    const controls = rowsOf(box).flat()
    const current =
      controls.find((each) => each === chosen) ?? controls.find(({ tabIndex }) => tabIndex === 0)
    for (const each of controls) each.tabIndex = each === (current ?? controls[0]) ? 0 : -1
    // Without controls, it is a stop itself, so that it can be scrolled.
    box.tabIndex = controls.length === 0 ? 0 : -1
  }
  // Rows come and go.
  useLayoutEffect(() => settle())
  return {
    ref,
    onKeyDown(event) {
      const [down, right] = STEPS[event.key] ?? []
      if (ref.current === null || down === undefined || right === undefined || hasModifier(event)) return
      const rows = rowsOf(ref.current)
      const row = rows.findIndex((each) => each.includes(event.target as HTMLElement))
      const column = rows[row]?.indexOf(event.target as HTMLElement)
      if (column === undefined) return
      event.preventDefault()
      const next = rows[within(row + down, rows.length)] ?? []
      next[within(column + right, next.length)]?.focus()
    },
    onFocusIn: ({ target }) => settle(target as Element),
  }
}

function rowsOf(box: HTMLElement): HTMLElement[][] {
  return [...box.querySelectorAll('tbody tr')]
    .map((row) => [...row.querySelectorAll<HTMLElement>('button, a')])
    .filter((controls) => controls.length > 0)
}

function hasModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}
