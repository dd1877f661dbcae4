import { join } from 'node:path'
import { startServer } from '../server.ts'

export { session } from './radicale.mjs'

export const needs = ['xandikos']

/** Calendars and address books in Git repositories. */
export function start(directory) {
  return startServer('xandikos', (port) => [
    ...['--directory', join(directory, 'data'), '--listen-address', '127.0.0.1', '--port', String(port)],
    ...['--autocreate', '--current-user-principal', '/ada/'],
  ])
}
