import { describe, expect, it } from 'vitest'
import { checkSimOptions, type SimOptions } from '../../src/options/app-options.ts'

describe('the options of an app', () => {
  it.for([
    {},
    { seed: undefined },
    { seed: -1, stateful: true, listCount: 0, cors: false, store: { maxItems: 5 } },
    { store: {}, cors: ['https://a'], servers: [], title: '', version: '1', configPath: 'sim.yaml' },
    { store: { maxItems: undefined } },
  ] satisfies SimOptions[])('may be %j', (options) => {
    expect(() => checkSimOptions(options)).not.toThrow()
  })

  it.for([
    [{ sede: 1 }, /^SimAPI has no option 'sede'\. Options: seed, /],
    [{ seed: 1.5 }, /^SimAPI: seed must be a whole number, not 1\.5$/],
    [{ stateful: 'false' }, /stateful must be true or false, not "false"/],
    [{ listCount: -1 }, /listCount must be a whole number, 0 or more/],
    [{ store: { maxItems: -1 } }, /store must be an object such as \{ maxItems: 1000 \}/],
    [{ store: { max: 1 } }, /store must be an object/],
    [{ store: [] }, /store must be an object/],
    [{ cors: [1] }, /cors must be true, false or a list of origins/],
    [{ servers: 'https://a' }, /servers must be a list of texts/],
    [{ title: 1 }, /title must be a text/],
  ] as const)('may not be %j', ([options, message]) => {
    expect(() => checkSimOptions(options as unknown as SimOptions)).toThrow(message)
  })
})
