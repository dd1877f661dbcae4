import { pino, type Logger } from 'pino'

/** The commands' log: JSON lines on stderr, warnings and worse, so that stdout stays for results. */
export function createLog(): Logger {
  return pino({ level: 'warn', base: null }, pino.destination({ dest: 2, sync: true }))
}
