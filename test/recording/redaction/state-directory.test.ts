import { expect, it } from 'vitest'
import { stateDirectory } from '../../../src/recording/redaction/state-directory.ts'

it.for<[NodeJS.Platform, Record<string, string>, RegExp]>([
  ['linux', { SIM_STATE_DIR: '/keys' }, /^\/keys$/],
  ['linux', { XDG_STATE_HOME: '/state' }, /^\/state.sim$/],
  ['linux', {}, /\.local.state.sim$/],
  ['darwin', {}, /Library.Application Support.sim$/],
  ['win32', { LOCALAPPDATA: '/local' }, /^.local.sim$/],
])('is in the place for it on %s with %j', ([platform, env, expected]) => {
  expect(stateDirectory(env, platform)).toMatch(expected)
})
