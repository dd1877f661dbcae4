/** What the modes are called. */
export const MODE_NAMES = ['simulate', 'forward', 'record', 'replay', 'spy', 'new-episodes', 'diff'] as const

/** How a gateway comes to its answers. */
export type ModeName = (typeof MODE_NAMES)[number]
