import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as afterPoll } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { writeWhole } from '../../src/http/response-writer.ts'

const HEADERS = ['content-type', 'text/plain']

async function answerWith(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('holds a short response until others of its turn are written', async () => {
  const corked: (number | undefined)[] = []
  const url = await answerWith((_request, response) => {
    writeWhole(response, false, 200, HEADERS, 'short')
    corked.push(response.socket?.writableCorked)
    void afterPoll().then(() => corked.push(response.socket?.writableCorked ?? 0))
  })
  expect(await (await fetch(url)).text()).toBe('short')
  await afterPoll()
  expect(corked).toEqual([1, 0])
})

it('leaves when it is written where somebody else has taken it over', async () => {
  const pieces: string[] = []
  const url = await answerWith((_request, response) => {
    const { write } = response
    response.write = (piece: string) => {
      pieces.push(piece)
      return write.call(response, piece, 'latin1')
    }
    writeWhole(response, false, 200, HEADERS, 'short')
    expect(response.writableEnded).toBe(true)
  })
  expect(await (await fetch(url)).text()).toBe('short')
  expect(pieces).toEqual(['short'])
})
