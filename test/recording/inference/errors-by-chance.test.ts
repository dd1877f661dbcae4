import { describe, expect, it } from 'vitest'
import { errorsByChance } from '../../../src/recording/inference/errors-by-chance.ts'
import { temporaryDirectory, writeRecording, type Parts } from '../samples.ts'

/** Exchanges from lines such as `GET /a 200`. */
function partsOf(lines: readonly string[]): readonly Parts[] {
  return lines.map((line) => {
    const [method = '', path = '', status = ''] = line.split(' ')
    return { method, url: `https://api.example.com${path}`, status: Number(status) }
  })
}

const FINE = Array.from({ length: 60 }, (_each, at) => `GET /things/${at} 200`)

describe('an error by chance', () => {
  it.for([
    ['of the server', ['GET /a 200', 'GET /a 503', 'GET /b 500', 'POST /a 429'], [1, 2, 3]],
    ['is not one that says what a server never does', ['GET /a 200', 'PATCH /a 501'], []],
    ['is a refusal between answers to the same request', ['GET /a 200', 'GET /a 404', 'GET /a 200'], [1]],
    ['does not include a refusal that stays', ['GET /a 200', 'GET /a 404', 'GET /a 404'], []],
    ['does not include a refusal that was mended', ['GET /a 404', 'GET /a 404', 'GET /a 200'], []],
    [
      'does not include a refusal between writes',
      ['PUT /a 200', 'GET /a 200', 'DELETE /a 204', 'GET /a 404', 'PUT /a 200', 'GET /a 200'],
      [],
    ],
    ['does not include a conflict', ['POST /a 201', 'POST /a 409', 'DELETE /a/1 204', 'POST /a 201'], []],
    [
      'does not include what one request always gets and no other',
      [...FINE, 'GET /bad 500', 'GET /bad 500', 'GET /things/1 503', 'GET /things/1 200'],
      [62],
    ],
    ['is not found where nothing was answered well', ['GET /a 503', 'GET /a 503'], []],
  ] as const)('%s', async ([_what, lines, expected]) => {
    const recording = await writeRecording(await temporaryDirectory(), ...partsOf(lines))
    expect([...(await errorsByChance(recording))].toSorted((a, b) => a - b)).toEqual(expected)
  })
})
