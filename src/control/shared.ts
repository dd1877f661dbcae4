/** What the processes that serve one gateway together tell each other. */
export interface Shared {
  /** Takes how to ask this process for what it has measured. */
  offer(own: () => Promise<readonly object[]>): void
  /** What all processes together have measured, in the text format of Prometheus. */
  metrics(): Promise<string>
}

/** What any of them can answer for all. */
const COMMON: ReadonlySet<string> = new Set(['/__sim/health', '/__sim/routes', '/__sim/metrics'])

/** Whether a path of the control plane has one answer, whichever process is request. */
export function isCommon(path: string): boolean {
  return COMMON.has(path)
}
