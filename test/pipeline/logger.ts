import type { FastifyBaseLogger } from 'fastify'

/** A line that a gateway logged. */
export interface Logged {
  readonly level: string
  readonly message: string
}

/** A logger that keeps warnings and worse. */
export function createLogger(lines: Logged[]): FastifyBaseLogger {
  const ignore = (): void => {}
  const keep =
    (level: string) =>
    (first: unknown, second?: unknown): void => {
      const message = second ?? (first instanceof Error ? first.message : first)
      lines.push({ level, message: String(message) })
    }
  const logger: FastifyBaseLogger = {
    level: 'warn',
    ...{ fatal: keep('fatal'), error: keep('error'), warn: keep('warn') },
    ...{ info: ignore, debug: ignore, trace: ignore, silent: ignore },
    child: () => logger,
  }
  return logger
}
