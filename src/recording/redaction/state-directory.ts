import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where this user's keys lie, outside of any project: `SIM_STATE_DIR`, or the system's place for such files. */
export function stateDirectory(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { SIM_STATE_DIR: named, XDG_STATE_HOME: state, LOCALAPPDATA: local } = env
  if (named !== undefined && named !== '') return named
  if (platform === 'win32') return join(local ?? join(homedir(), 'AppData', 'Local'), 'sim')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sim')
  return join(state === undefined || state === '' ? join(homedir(), '.local', 'state') : state, 'sim')
}
