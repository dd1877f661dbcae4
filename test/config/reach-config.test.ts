import { describe, expect, it } from 'vitest'
import { toReach } from '../../src/config/reach-config.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('gateway.reach', () => {
  it('reads its files beside the config file', () => {
    using folder = temporaryFolder({ 'ca.pem': 'CA', 'cert.pem': 'CERT', 'key.pem': 'KEY' })
    const files = { ca: 'ca.pem', clientCert: 'cert.pem', clientKey: 'key.pem' }
    const reach = { proxy: 'http://proxy.test', noProxy: 'near.test', insecure: ['a.test'], ...files }
    expect(toReach(reach, `${folder.path}/sim.yaml`)).toEqual({
      proxy: { url: 'http://proxy.test', noProxy: 'near.test' },
      tls: { insecure: ['a.test'], ca: 'CA', clientCert: 'CERT', clientKey: 'KEY' },
    })
  })

  it('says which file cannot be read', () => {
    expect(() => toReach({ clientKey: 'nowhere.pem' }, '/x/sim.yaml')).toThrow(
      /^\/x\/sim\.yaml: gateway\.reach\.client_key: cannot read nowhere\.pem: ENOENT/,
    )
  })

  it('is nothing where the file says nothing', () => {
    expect(toReach(undefined, 'sim.yaml')).toBeUndefined()
  })
})
