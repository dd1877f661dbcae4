import { expect, it } from 'vitest'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'
import { chaosReport } from '../../src/resilience/report.ts'

const START = Date.parse('2026-01-31T12:00:00.000Z')

// When each request came that differs in nothing from the others, whether it failed (F), and on which connection.
function requests(text: string): readonly AttemptEntry[] {
  return Array.from(text.matchAll(/(\S+)([F.])(\d+)\s/g), ([, ms, status, connection], id) => ({
    ...{ id, time: new Date(START).toISOString(), arrivedMs: START + Number(ms), durationMs: 0.1 },
    ...{ method: 'GET', host: 'a', url: '/a', path: '/a', status: status === 'F' ? 503 : 200 },
    ...{ headers: [['user-agent', 'shop']] as const, connection: Number(connection) },
  }))
}

// As they were recorded on a machine that has much else to do.
it.each([
  [
    'a limiter that is late, whose retries wait 90 ms',
    'unclear',
    `
      0F1 2.8.1 5.2.1 7.4F1 11.2F1 13.5F1 16.5F1 19.7F1 21.8F1 23.8F1 25.8F1 29.7F1
      31.8F1 34.6F1 37.9F1 40.1 42.1F1 44.1F1 46.2.1 48.2F1 50.3F1 52.3.1 54.3F1 56.3.1
      91.8F1 98.5F1 101.9F1 105.2.1 107.1F1 111.1F1 117.3.1 119.1F2 120.2F1 121F3 122.7F1 125.4F1
      129.2.1 133.2F1 135.2F1 139.1F1 140.5.1 145.6F1 184.1 190.7F1 193.1F1 198.4F1 202.7F1 210.7F1
      212F2 213.1F1 213.3F3 216.5.1 224.5.1 225.8F1 231.1F1 239.8F1 282.6.1 288.3F1 289.7F2 295.1.1
      302.1 303.4F2 304.7F1 304.9.3 317.7F1 322.8F2 331.7F1 380.6F1 381.8.2 395.5F1 396.5F2 413.1F1
      414.2F2 423.8F1
    `,
  ],
  [
    '72 calls at once',
    'unclear',
    `
      0F1 1.4.2 6.9.3 18.1F4 19.8F5 20.9F6 26.1F7 27.3F8 28.2F9 29.1F10 39.3F11 40.3F12
      79.7F13 80.9F14 160.2F15 161.4.16 207.3F17 208.3F18 243.1.19 244.3F20 245.2F21 256.7.22 262.1F23 263.2.24
      264.1F25 278.4F26 279.4F27 280.2.28 285.8F29 287F30 306.9.31 307.9F32 308.6F33 309.3F34 420.2F35 421.3F36
      422.1.37 422.7F38 423.3F39 423.8F40 424.3.41 424.8F42 425.3.43 429.2F44 430.1F45 430.7F46 431.2F47 431.8F48
      432.2F49 432.7F50 433.1F51 448.52 449.2.53 454.1F54 454.8F55 455.3F56 455.7.57 456.2F58 456.6F59 457.60
      457.5.61 472.3F62 473.1F63 481.8.64 482.7F65 483.2F66 483.7F67 484.2F68 484.6.69 485.1F70 497.9F71 498.9F72
    `,
  ],
  [
    '72 calls of threads at once',
    'none',
    `
      0F1 3.2 5.7.1 5.9F3 6.6F4 6.9F5 7F6 7.1F7 7.2F8 7.3F9 7.4F10 7.5F11
      7.6F12 7.6F13 7.7F14 20.4.1 20.6F3 20.7F4 22.8.4 23.9F1 24F3 24.14 30.6F7 31.4
      32F14 32.1F12 32.1F7 32.2.1 33F3 33.1F1 33.6.3 34.1F1 34.3F3 34.6F7 35.3F1 35.7F7
      36.2.1 36.4F3 42.8F3 43F1 50.8.12 52.2F7 52.3.3 52.6F1 53.1F14 53.3F12 53.7F1 54.3F1
      54.4F14 55F12 55.5F12 61.5.12 62.6.1 63.1F12 63.2F14 64F3 64.4.1 64.7F3 64.8F14 65.5.12
      65.7.1 66.3F14 66.7F12 67.14 67.9F1 67.9F14 68.5F3 68.5F12 68.6.7 70.9F7 71.4F7 71.7F12
    `,
  ],
  [
    '24 calls at once, a connection for each',
    'none',
    `
      0F1 1.2 1.7.3 2.1F4 2.7F5 20.4F6 21.1F7 21.6F8 22.1F9 22.5F10 39.7F11 40.7F12
      47.8F13 48.4F14 48.9F15 56.16 68.6F17 69.5F18 70.19 70.3F20 81.5F21 82.2.22 82.5F23 83.7.24
    `,
  ],
] as const)('finds how clients retry: %s: %s', (_what, behaviour, text) => {
  expect(chaosReport({ entries: requests(text) }).clients).toMatchObject([{ behaviour }])
})
