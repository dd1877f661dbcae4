import { join } from 'node:path'
import { stateDirectory } from '../recording/redaction/state-directory.ts'

/** Where this user's certificate authority lives, unless told: `SIM_CA_DIR`, or beside the user's other keys. */
export function caDirectory(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { SIM_CA_DIR: told } = env
  return told !== undefined && told !== '' ? told : join(stateDirectory(env, platform), 'ca')
}
