/** Reports on stderr how far long work is. */
interface Progress {
  /** So much is done. @param what is counted, where that changes */
  at(done: number, what?: string): void
  /** Clears the line on a terminal. */
  end(): void
}

const SILENT: Progress = { at: () => undefined, end: () => undefined }
const TERMINAL_MS = 100
const LOG_MS = 5_000

/**
 * Progress as a line that is written over on a terminal, and as a line every five seconds anywhere else.
 * @param what is counted, as in `1200 exchanges read`
 */
export function createProgress(
  what: string,
  isQuiet: boolean,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  if (isQuiet) return SILENT
  const [before, after] = stream.isTTY ? ['\r', '\u001b[K'] : ['', '\n']
  let lastAt = now()
  let isShown = false
  return {
    at(done, own = what) {
      if (now() - lastAt < (stream.isTTY ? TERMINAL_MS : LOG_MS)) return
      lastAt = now()
      isShown = true
      stream.write(`${before}${done} ${own}${after}`)
    },
    end() {
      if (isShown && stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}
