import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where this user's certificate authority lives, unless told: `SIM_CA_DIR`, or the system's place for such files. */
export function caDirectory(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { SIM_CA_DIR: told, XDG_STATE_HOME: state, LOCALAPPDATA: local } = env
  if (told !== undefined && told !== '') return told
  if (platform === 'win32') return join(local ?? join(homedir(), 'AppData', 'Local'), 'sim', 'ca')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sim', 'ca')
  return join(state === undefined || state === '' ? join(homedir(), '.local', 'state') : state, 'sim', 'ca')
}
