import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/message.ts'
import { createModes, type ModeRule } from '../../src/modes/choose-mode.ts'

const ALL = { records: true, hasRecording: true }
const call = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  scheme: 'http',
  host: 'api.example.com',
  path: '/users/7',
  search: '',
  headers: { 'x-live': 'yes' },
  ...changes,
})

describe('createModes', () => {
  it('is simulate by default', () => {
    const modes = createModes({}, ALL)
    expect([modes.of(call()), modes.settings]).toEqual(['simulate', { mode: 'simulate', rules: [] }])
  })

  it.for<[Omit<ModeRule, 'mode'>, boolean]>([
    [{}, true],
    [{ method: 'get' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/users/*' }, true],
    [{ path: '/users' }, false],
    [{ host: '*.example.com' }, true],
    [{ host: 'api.example.com:80' }, true],
    [{ host: 'api.example.com:81' }, false],
    [{ headers: { 'X-Live': 'yes' } }, true],
    [{ headers: { 'x-live': '*' } }, true],
    [{ headers: { 'x-live': 'no' } }, false],
    [{ headers: { 'x-dead': '*' } }, false],
    [{ method: 'GET', path: '/**', host: 'api.example.com', headers: { 'x-live': '*' } }, true],
    [{ method: 'GET', path: '/**', host: 'other.example.com' }, false],
  ])('takes a rule of %j: %s', ([rule, isTaken]) => {
    const modes = createModes({ mode: 'spy', rules: [{ mode: 'replay', ...rule }] }, ALL)
    expect(modes.of(call())).toBe(isTaken ? 'replay' : 'spy')
  })

  it('takes the first rule that fits', () => {
    const rules: ModeRule[] = [{ mode: 'diff', path: '/x' }, { mode: 'record' }, { mode: 'replay' }]
    expect(createModes({ rules }, ALL).of(call())).toBe('record')
  })

  it('changes at run time, all or nothing', () => {
    const modes = createModes({ mode: 'forward' }, { records: false, hasRecording: true })
    modes.set({ mode: 'replay', rules: [{ mode: 'forward', method: 'POST' }] })
    expect([modes.of(call()), modes.of(call({ method: 'POST' }))]).toEqual(['replay', 'forward'])
    expect(modes.names()).toEqual(['replay', 'forward'])
    expect(() => modes.set({ mode: 'record' })).toThrow("Mode 'record' needs a directory")
    expect(modes.settings.mode).toBe('replay')
  })
})
