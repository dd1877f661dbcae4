import { describe, expect, it } from 'vitest'
import { addressBytes, readAddress } from '../../src/http/socks5-bytes.ts'

describe('an address of SOCKS5', () => {
  it.for([
    ['a.example', 'a.example'],
    ['192.0.2.7', '192.0.2.7'],
    ['::1', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['::', '0000:0000:0000:0000:0000:0000:0000:0000'],
    ['2001:db8:0:1::7', '2001:0db8:0000:0001:0000:0000:0000:0007'],
    ['::ffff:192.0.2.7', '0000:0000:0000:0000:0000:ffff:c000:0207'],
  ])('is read as it was written: %s', async ([host = '', read]) => {
    let bytes = addressBytes(host, 8443)
    const take = async (length: number): Promise<Buffer> => {
      const taken = bytes.subarray(0, length)
      bytes = bytes.subarray(length)
      return taken
    }
    expect(await readAddress(take)).toEqual({ host: read, port: 8443 })
    expect(bytes).toHaveLength(0)
  })
})
