import { isObject } from '../../engine/schema/schema.ts'
import type { BodyChunk, WebSocketMessage } from '../files/exchange.ts'

/** The messages of a WebSocket as Chrome, mitmproxy and recordings have them; `undefined` where there are none. */
export function readMessages(value: unknown): readonly WebSocketMessage[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list: readonly unknown[] = value
  return list.flatMap((each) => {
    if (!isObject(each)) return []
    const { type, time, opcode, data } = each
    const isRead = (type === 'send' || type === 'receive') && (opcode === 1 || opcode === 2)
    if (!isRead || typeof data !== 'string') return []
    return [{ type, time: typeof time === 'number' ? time : 0, opcode, data }]
  })
}

/** When the parts of a body came, as recordings have it; `undefined` where that is not known. */
export function readChunks(value: unknown): readonly BodyChunk[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list: readonly unknown[] = value
  const chunks = list.flatMap((each) => {
    const { time, bytes } = isObject(each) ? each : {}
    return typeof time === 'number' && typeof bytes === 'number' ? [{ time, bytes }] : []
  })
  return chunks.length === list.length && chunks.length > 0 ? chunks : undefined
}
