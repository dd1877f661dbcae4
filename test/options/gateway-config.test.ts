import { describe, expect, it } from 'vitest'
import { toGatewayOptions } from '../../src/options/gateway-config.ts'
import { loadConfig, loadGatewayConfig } from '../../src/options/config-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const WHOLE = `seed: 7
gateway:
  routes: [app.ts]
  host: 0.0.0.0
  port: 0
  upstream: http://127.0.0.1:3000
  upstreams:
    - url: http://127.0.0.1:3001
      host: '*.example.com'
      path: /api
      strip_path: true
      rewrite: [{ from: '/{rest*}', to: '/v1/{rest}' }]
      request_headers: { set: { X-A: b }, add: { x-c: d }, remove: [cookie] }
      response_headers: { remove: [server] }
  allow: [api.example.com]
  mode: spy
  modes: [{ mode: replay, method: GET, path: '/x/**', host: a.example, headers: { x-live: '*' } }]
  record: recordings/new
  recording: /var/known
  replay:
    match_headers: [x-tenant]
    ignore_host: true
    ignore_query: [utm_*]
    ignore_body: [/items/*/id, '']
    ignore_patterns: ['\\d{10}']
    after: loop
    timing: original
    speed: 2.5
  max_header_bytes: 8192
`

describe('the gateway section of a config file', () => {
  it('is read with the names that options have in code, and paths beside the file', () => {
    using folder = temporaryFolder({ 'sim.yaml': WHOLE })
    const loaded = loadGatewayConfig(undefined, folder.path)
    expect(loaded).toMatchObject({ seed: 7, gateway: { routes: ['app.ts'], host: '0.0.0.0', port: 0 } })
    if (loaded === undefined) return
    expect(toGatewayOptions(loaded.gateway, loaded.file)).toEqual({
      upstream: 'http://127.0.0.1:3000',
      targets: {
        upstreams: [
          {
            url: 'http://127.0.0.1:3001',
            host: '*.example.com',
            path: '/api',
            stripPath: true,
            rewrite: [{ from: '/{rest*}', to: '/v1/{rest}' }],
            requestHeaders: { set: { 'X-A': 'b' }, add: { 'x-c': 'd' }, remove: ['cookie'] },
            responseHeaders: { remove: ['server'] },
          },
        ],
        allow: ['api.example.com'],
      },
      modes: {
        mode: 'spy',
        rules: [
          { mode: 'replay', method: 'GET', path: '/x/**', host: 'a.example', headers: { 'x-live': '*' } },
        ],
      },
      record: `${folder.path}/recordings/new`,
      recording: '/var/known',
      replay: {
        matchHeaders: ['x-tenant'],
        ignoreHost: true,
        ignoreQuery: ['utm_*'],
        ignoreBody: ['/items/*/id', ''],
        ignorePatterns: ['\\d{10}'],
        after: 'loop',
        timing: 'original',
        speed: 2.5,
      },
      limits: { maxHeaderBytes: 8192 },
    })
  })

  it('is none of an app’s business', () => {
    using folder = temporaryFolder({ 'sim.yaml': WHOLE })
    expect(loadConfig(undefined, folder.path)).toEqual({ seed: 7 })
  })

  it('may be missing from a file that was found, and from one that was named', () => {
    using folder = temporaryFolder({ 'sim.yaml': 'seed: 1\n' })
    expect(loadGatewayConfig(undefined, folder.path)).toBeUndefined()
    expect(loadGatewayConfig('sim.yaml', folder.path)?.gateway).toEqual({})
  })

  it.for([
    ['gateway: 3', 'sim.yaml:1: gateway must be keys with values, not 3'],
    ['gateway:\n  upstrem: x', "sim.yaml:2: unknown key 'gateway.upstrem'. Did you mean 'upstream'?"],
    [
      'gateway:\n  upstream: 127.0.0.1',
      'sim.yaml:2: gateway.upstream must be a URL such as http://127.0.0.1:3000',
    ],
    ['gateway:\n  upstreams: {}', 'sim.yaml:2: gateway.upstreams must be a list, not {}'],
    ['gateway:\n  upstreams:\n    - path: /x', "sim.yaml:3: gateway.upstreams[0] must have a key 'url'"],
    ['gateway:\n  upstreams:\n    - 3', 'sim.yaml:3: gateway.upstreams[0] must be keys with values, not 3'],
    [
      'gateway:\n  upstreams:\n    - url: http://a\n      strip: true',
      "sim.yaml:4: unknown key 'gateway.upstreams[0].strip'. Keys: url, host, path",
    ],
    [
      'gateway:\n  upstreams:\n    - url: http://a\n      request_headers: { set: { a: 1 } }',
      'sim.yaml:4: gateway.upstreams[0].request_headers.set.a must be a text, not 1',
    ],
    [
      'gateway:\n  allow: ["*"]',
      'gateway.allow must be a list of hosts such as api.example.com or *.example.com',
    ],
    ['gateway:\n  tls: { intercept: [a/b] }', 'sim.yaml:2: gateway.tls.intercept must be a list of hosts'],
    [
      'gateway:\n  proxy_auth: [hunter2]',
      /\/sim.yaml:2: gateway.proxy_auth: must be a list of user:password, or \*:password for any user$/,
    ],
    ['gateway:\n  mode: mock', 'gateway.mode must be one of simulate, forward, record'],
    ['gateway:\n  modes:\n    - { path: /x }', "gateway.modes[0] must have a key 'mode'"],
    [
      'gateway:\n  replay:\n    ignore_body: [id]',
      'sim.yaml:3: gateway.replay.ignore_body must be a list of JSON pointers such as /user/id',
    ],
    [
      "gateway:\n  replay: { ignore_patterns: ['('] }",
      'gateway.replay.ignore_patterns must be a list of regular expressions (Invalid regular expression',
    ],
    [
      'gateway:\n  replay: { ignore_querys: [a] }',
      "unknown key 'gateway.replay.ignore_querys'. Did you mean 'ignore_query'?",
    ],
    ['gateway:\n  port: 70000', 'gateway.port must be a whole number from 0 to 65535, not 70000'],
    ['gateway:\n  chaos: { preset: flacky }', "gateway.chaos.preset: 'flacky' is not a preset"],
  ] as const)('refuses %j', ([content, message]) => {
    using folder = temporaryFolder({ 'sim.yaml': content })
    expect(() => loadGatewayConfig(undefined, folder.path)).toThrow(message)
  })
})

describe('gateway.reach', () => {
  it('reads its files beside the config file', () => {
    using folder = temporaryFolder({ 'ca.pem': 'CA', 'cert.pem': 'CERT', 'key.pem': 'KEY' })
    const files = { ca: 'ca.pem', clientCert: 'cert.pem', clientKey: 'key.pem' }
    const reach = { proxy: 'http://proxy.test', noProxy: 'near.test', insecure: ['a.test'], ...files }
    expect(toGatewayOptions({ reach }, `${folder.path}/sim.yaml`).reach).toEqual({
      proxy: { url: 'http://proxy.test', noProxy: 'near.test' },
      tls: { insecure: ['a.test'], ca: 'CA', clientCert: 'CERT', clientKey: 'KEY' },
    })
  })

  it('says which file cannot be read', () => {
    expect(() => toGatewayOptions({ reach: { clientKey: 'nowhere.pem' } }, '/x/sim.yaml')).toThrow(
      /^\/x\/sim\.yaml: gateway\.reach\.client_key: cannot read nowhere\.pem: ENOENT/,
    )
  })

  it('is nothing where the file says nothing', () => {
    expect(toGatewayOptions({}, 'sim.yaml').reach).toBeUndefined()
  })
})
