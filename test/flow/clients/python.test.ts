import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { EXPECTED, openWorld, run } from './setup.ts'

const PYTHON = '/usr/bin/python3'
const world = openWorld()
const hasRequests = spawnSync(PYTHON, ['-c', 'import requests']).status === 0

const PROGRAM = `
import sys, requests
print(requests.post(sys.argv[1], data='hello').text, end='')`

describe.skipIf(!hasRequests)("Python's requests", () => {
  it.for(['http', 'https'] as const)('reaches a server with %s by proxy', async (scheme) => {
    const env = { HTTP_PROXY: world.proxy, HTTPS_PROXY: world.proxy, REQUESTS_CA_BUNDLE: world.caFile }
    expect(await run(PYTHON, ['-c', PROGRAM, `${world[scheme]}/a?b`], env)).toBe(EXPECTED)
  })

  it.for(['http', 'https'] as const)('reaches a server with %s by base URL', async (scheme) => {
    expect(await run(PYTHON, ['-c', PROGRAM, `${world.base[scheme]}/a?b`])).toBe(EXPECTED)
  })
})
