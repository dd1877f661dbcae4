import { describe, expect, it } from 'vitest'
import { isLoopback, plainAddress, refuseAddress } from '../../src/http/ip-address.ts'

describe('refuseAddress', () => {
  it.for([
    ['169.254.169.254', 'a link-local address'],
    ['169.254.170.2', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['::ffff:169.254.169.254', 'a link-local address'],
    ['::ffff:a9fe:a9fe', 'a link-local address'],
    ['::169.254.169.254', 'a link-local address'],
    ['64:ff9b::a9fe:a9fe', 'a link-local address'],
    ['2002:a9fe:a9fe::', 'a link-local address'],
    ['2001::5601:5601', 'a link-local address'],
    ['::ffff:0:a9fe:a9fe', 'a link-local address'],
    ['fd00:ec2::254', 'the metadata service of AWS'],
    ['fd00:0ec2:0::0254', 'the metadata service of AWS'],
    ['100.100.100.200', 'the metadata service of Alibaba Cloud'],
    ['::ffff:100.100.100.200', 'the metadata service of Alibaba Cloud'],
    ['168.63.129.16', 'the metadata service of Azure'],
    ['0.0.0.0', 'the unspecified address, which means this machine'],
    ['0.1.2.3', 'the unspecified address, which means this machine'],
    ['::', 'the unspecified address, which means this machine'],
    ['224.0.0.1', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['255.255.255.255', 'the broadcast address'],
    ['localhost', 'not an address'],
  ] as const)('refuses %s as %s', ([address, reason]) => {
    expect(refuseAddress(address)).toBe(reason)
  })

  it.for([
    '127.0.0.1',
    '::1',
    '10.0.0.7',
    '192.168.1.1',
    '8.8.8.8',
    'fd00::1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ])('lets %s be', (address) => {
    expect(refuseAddress(address)).toBeUndefined()
  })
})

describe('isLoopback', () => {
  it.for(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::7f00:1', '64:ff9b::7f00:1'])(
    'knows %s',
    (address) => {
      expect(isLoopback(address)).toBe(true)
    },
  )

  it.for(['128.0.0.1', '::2', 'fe80::1', 'localhost'])('does not take %s for it', (address) => {
    expect(isLoopback(address)).toBe(false)
  })
})

describe('plainAddress', () => {
  it('gives each address one spelling', () => {
    expect(['::FFFF:10.0.0.1', '10.0.0.1', 'FD00:0::1', 'fe80::1%lo'].map(plainAddress)).toEqual([
      '10.0.0.1',
      '10.0.0.1',
      'fd00::1',
      'fe80::1',
    ])
  })
})
