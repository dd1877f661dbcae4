import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.ts'

export { session } from './webdav.mjs'

export const needs = ['apache2']

const MODULES = ['mpm_event', 'authz_core', 'mime', 'dir', 'dav', 'dav_fs', 'dav_lock']

/** Files and folders by mod_dav. */
export function start(directory) {
  const files = join(directory, 'files')
  mkdirSync(files, { recursive: true })
  // As root, Apache serves as another user.
  for (const path of [directory, files]) chmodSync(path, 0o777)
  const config = join(directory, 'apache.conf')
  return startServer('apache2', (port) => {
    const lines = [
      ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      ...[`ServerRoot ${directory}`, `PidFile ${directory}/pid`, 'ServerName 127.0.0.1'],
      ...[`Listen 127.0.0.1:${port}`, `ErrorLog ${directory}/errors.log`, 'User www-data', 'Group www-data'],
      ...['TypesConfig /etc/mime.types', `DavLockDB ${directory}/locks`, `DocumentRoot ${files}`],
      ...[`<Directory ${files}>`, 'Dav On', 'DirectoryIndex disabled', 'Require all granted', '</Directory>'],
    ]
    writeFileSync(config, lines.map((line) => `${line}\n`).join(''))
    return ['-f', config, '-X']
  })
}
