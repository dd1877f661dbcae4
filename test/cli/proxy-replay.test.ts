import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { merge } from '../../src/cli/proxy/merge.ts'
import { replayOf, type ReplayOptions } from '../../src/cli/proxy/replay.ts'
import { temporaryDirectory, writeRecording } from '../recording/samples.ts'
import { serveHere, simHere } from './run-in-process.ts'

const NOTHING: ReplayOptions = {
  matchHeader: [],
  ignoreHost: undefined,
  ignoreQuery: [],
  ignoreBody: [],
  ignorePattern: [],
  replayAfter: undefined,
  replayTiming: undefined,
  replaySpeed: undefined,
}

describe('the options of sim proxy about replaying', () => {
  it('become those of the gateway, and leave what a file says where they are not given', () => {
    const given: ReplayOptions = {
      matchHeader: ['a'],
      ignoreHost: true,
      ignoreQuery: ['b'],
      ignoreBody: ['/c'],
      ignorePattern: ['d'],
      replayAfter: 'miss',
      replayTiming: 'none',
      replaySpeed: 2,
    }
    const wanted = {
      matchHeaders: ['a'],
      ignoreHost: true,
      ignoreQuery: ['b'],
      ignoreBody: ['/c'],
      ignorePatterns: ['d'],
      after: 'miss',
      timing: 'none',
      speed: 2,
    }
    expect(replayOf(given)).toEqual(wanted)
    expect(merge<object>(wanted, replayOf(NOTHING))).toEqual(wanted)
  })

  it('reach the replayer', async () => {
    const recording = await writeRecording(
      join(await temporaryDirectory()),
      { url: 'http://a.test/a?n=1', responseBody: 'one' },
      { url: 'http://a.test/a?n=2', responseBody: 'two' },
    )
    const options = ['--ignore-query', 'n', '--replay-after', 'loop', '--replay-timing', 'original']
    const served = await serveHere('proxy', '--mode', 'replay', '--recording', recording, ...options)
    const seen: string[] = []
    for (let n = 0; n < 3; n++) seen.push(await (await fetch(`${served.url}/a?n=${n}`)).text())
    expect(seen).toEqual(['one', 'two', 'one'])
    expect(await served.stop()).toBe(0)
  })

  it.for([
    [['--ignore-body', 'a', '--ignore-body', '/b'], '--ignore-body must be a list of JSON pointers such as'],
    [
      ['--ignore-pattern', '['],
      '--ignore-pattern must be a list of regular expressions (Invalid regular expression',
    ],
    [['--match-header', 'a:b'], '--match-header must be a list of names of headers such as'],
    [['--replay-speed', '0'], '--replay-speed must be a number above 0, not 0'],
    [['--replay-speed', 'fast'], '--replay-speed must be a number above 0'],
    [['--replay-after', 'stop'], 'Invalid values:'],
  ] as const)('refuse %j as wrong use', async ([args, message]) => {
    const { code, stderr } = await simHere('proxy', ...args)
    expect([code, stderr.slice(0, message.length)]).toEqual([2, message])
  })
})
