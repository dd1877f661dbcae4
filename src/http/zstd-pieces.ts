/** RFC 9659, section 3: a content coding has no window larger than 8 MiB, and what says so would take as much memory. */
const MAX_WINDOW = 8 * 1024 * 1024
const MAGIC = 0xfd2fb528
const NOTHING = Buffer.alloc(0)

/** What splits zstd, as it comes. */
export interface ZstdSplitter {
  /** Pieces none of which has the ends of two blocks. @throws RangeError for a window that is too large */
  split(bytes: Buffer): Generator<Buffer>
  /** What is left where the last head of a frame or block is not whole. */
  rest(): Buffer
}

/** Splits frames into their heads and blocks (RFC 8878, section 3.1), so that no piece gives more than one block has. */
export function createZstdSplitter(): ZstdSplitter {
  let rest: Buffer = NOTHING
  let left = 0
  let isInFrame = false
  let afterLast = 0

  // How long the head, block or frame to skip at the beginning is; `undefined` while that is not known.
  const lengthOf = (bytes: Buffer): number | undefined => (isInFrame ? blockOf(bytes) : frameOf(bytes))
  const blockOf = (bytes: Buffer): number | undefined => {
    if (bytes.length < 3) return undefined
    const head = bytes.readUIntLE(0, 3)
    const isLast = (head & 1) === 1
    const isRepeated = ((head >> 1) & 3) === 1
    isInFrame = !isLast
    return 3 + (isRepeated ? 1 : head >> 3) + (isLast ? afterLast : 0)
  }
  const frameOf = (bytes: Buffer): number | undefined => {
    if (bytes.length < 8) return undefined
    const magic = bytes.readUInt32LE(0)
    if (magic >>> 4 === 0x184d2a5) return 8 + bytes.readUInt32LE(4)
    if (magic !== MAGIC) throw new RangeError('Its magic number is not that of zstd')
    const head = headOf(bytes)
    if (head === undefined) return undefined
    isInFrame = true
    afterLast = head.hasChecksum ? 4 : 0
    return head.length
  }

  return {
    *split(more) {
      let bytes = rest.length === 0 ? more : Buffer.concat([rest, more])
      rest = NOTHING
      while (bytes.length > 0) {
        const length = left > 0 ? left : lengthOf(bytes)
        if (length === undefined) {
          rest = bytes
          return
        }
        const piece = bytes.subarray(0, length)
        left = length - piece.length
        bytes = bytes.subarray(piece.length)
        yield piece
      }
    },
    rest: () => rest,
  }
}

function headOf(bytes: Buffer): { readonly length: number; readonly hasChecksum: boolean } | undefined {
  const descriptor = bytes.readUInt8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const at = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  if (bytes.length < at + sizeBytes) return undefined
  const window = isSingleSegment ? sizeIn(bytes.subarray(at, at + sizeBytes)) : windowOf(bytes.readUInt8(5))
  if (window > MAX_WINDOW) throw new RangeError('Its window is too large')
  return { length: at + sizeBytes, hasChecksum: (descriptor & 4) !== 0 }
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3))
  return base + (base / 8) * (byte & 7)
}

function sizeIn(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE(0))
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0)
}
