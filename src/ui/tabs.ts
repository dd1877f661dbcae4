/** How many tabs follow streams. A browser has six connections to one origin for all of its tabs, and a page needs some. */
const MOST = 2

const channel = new BroadcastChannel('sim-tabs')
const own = `${Date.now()} ${Math.random()}`
/** Tabs that were looked at since this one was. */
const others = new Set<string>()
const listeners = new Set<() => void>()
let wasSeen = false

interface Message {
  readonly tab: string
  readonly isGone?: boolean
}

/** Whether this tab may follow streams: it is one of those that were looked at last. */
export const tabs = {
  mayFollow: false,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

function post(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  channel.postMessage(message)
}

function update(): void {
  const mayFollow = wasSeen && others.size < MOST
  if (mayFollow === tabs.mayFollow) return
  tabs.mayFollow = mayFollow
  for (const listener of listeners) listener()
}

function look(): void {
  if (document.visibilityState === 'hidden') return
  wasSeen = true
  others.clear()
  post({ tab: own })
  update()
}

channel.addEventListener('message', ({ data: { tab, isGone } }: MessageEvent<Message>) => {
  if (isGone === true) others.delete(tab)
  else others.add(tab)
  update()
})
document.addEventListener('visibilitychange', look)
addEventListener('focus', look)
addEventListener('pageshow', look)
// Of several windows that are in sight, the focus may stay where it is.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, () => tabs.mayFollow || look(), true)
addEventListener('pagehide', () => post({ tab: own, isGone: true }))
look()
