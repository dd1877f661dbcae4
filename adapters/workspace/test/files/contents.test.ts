import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Content, Contents, createMemoryStorage } from '../../src/files/contents.ts'

describe('contents', () => {
  it('never keep more bytes than their cap, and count what they keep', () => {
    const action = fc.record({
      kind: fc.constantFrom('write', 'append', 'replace', 'remove'),
      at: fc.nat(4),
      bytes: fc.uint8Array({ maxLength: 20 }),
    })
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const contents = new Contents(createMemoryStorage(), 40)
        const kept: { content: Content; bytes: Buffer }[] = []
        for (const { kind, at, bytes } of actions) {
          const buffer = Buffer.from(bytes)
          const place = kept[at]
          try {
            if (kind === 'write') kept.push({ content: contents.write(buffer), bytes: buffer })
            else if (place === undefined) continue
            else if (kind === 'append') {
              contents.append(place.content, buffer)
              place.bytes = Buffer.concat([place.bytes, buffer])
            } else if (kind === 'replace') {
              kept[at] = { content: contents.write(buffer, place.content), bytes: buffer }
            } else {
              contents.remove(place.content)
              kept.splice(at, 1)
            }
          } catch (error) {
            expect((error as { body: object }).body).toMatchObject({ error_code: 'QUOTA_EXCEEDED' })
          }
          const used = kept.reduce((sum, each) => sum + each.bytes.length, 0)
          expect(contents.usedBytes).toBe(used)
          expect(used).toBeLessThanOrEqual(40)
          for (const { content, bytes } of kept) expect(contents.read(content).equals(bytes)).toBe(true)
        }
      }),
    )
  })
})
