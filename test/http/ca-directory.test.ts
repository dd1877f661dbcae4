import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caDirectory } from '../../src/http/ca-directory.ts'

describe('the directory of the certificate authority', () => {
  it.for([
    [{ SIM_CA_DIR: '/x', XDG_STATE_HOME: '/y' }, 'linux', '/x'],
    [{ SIM_CA_DIR: '', XDG_STATE_HOME: '/y' }, 'linux', '/y/sim/ca'],
    [{}, 'linux', join(homedir(), '.local/state/sim/ca')],
    [{}, 'darwin', join(homedir(), 'Library/Application Support/sim/ca')],
    [{ LOCALAPPDATA: '/local' }, 'win32', '/local/sim/ca'],
  ] as const)('with %j on %s is %s', ([env, platform, path]) => {
    expect(caDirectory(env, platform)).toBe(path)
  })
})
