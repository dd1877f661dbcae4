/** How many slots the keys of a cluster are spread over. */
export const SLOTS = 16_384

// CRC-16/XMODEM by the value of a byte, which the specification of clusters demands.
const BY_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)
  return crc
})

/** The slot of a key in a cluster: that of its hash tag, where it has one. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  const tag = open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
  let crc = 0
  for (const byte of Buffer.from(tag)) crc = ((crc << 8) & 0xffff) ^ (BY_BYTE[(crc >> 8) ^ byte] ?? 0)
  return crc % SLOTS
}
