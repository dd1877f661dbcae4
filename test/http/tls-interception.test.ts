import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { interceptedHosts } from '../../src/http/tls-interception.ts'

const [api, www] = [
  { name: 'api.example.com', port: 443 },
  { name: 'www.example.com', port: 443 },
]
const routesOf = (options: object) => new SimAPI({ seed: 1 }).get('/x', options).engine().routes
const nothing = { routes: [], everything: () => false }

describe('TLS ends at the gateway', () => {
  it('for no host unless there is a reason to', () => {
    expect(interceptedHosts({}, nothing)(api)).toBe(false)
  })

  it('for hosts that are listed', () => {
    const intercepts = interceptedHosts({ intercept: ['api.example.com'] }, nothing)
    expect([intercepts(api), intercepts(www)]).toEqual([true, false])
  })

  it('for hosts that have declared routes, which are all where a route names none', () => {
    const ofApi = interceptedHosts({}, { ...nothing, routes: routesOf({ host: 'api.example.com' }) })
    expect([ofApi(api), ofApi(www)]).toEqual([true, false])
    const ofAll = interceptedHosts({}, { ...nothing, routes: routesOf({}) })
    expect([ofAll(api), ofAll(www)]).toEqual([true, true])
  })

  it('for all hosts while everything is recorded or replayed', () => {
    let recording = false
    const intercepts = interceptedHosts({}, { ...nothing, everything: () => recording })
    expect(intercepts(api)).toBe(false)
    recording = true
    expect(intercepts(api)).toBe(true)
  })

  it('never for hosts whose tunnels are left alone', () => {
    const intercepts = interceptedHosts({ intercept: ['*'], tunnel: ['*.example.com'] }, nothing)
    expect([intercepts(api), intercepts({ name: 'other.test', port: 443 })]).toEqual([false, true])
  })
})
