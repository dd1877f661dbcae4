/** A number of bytes as people read it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  const value = bytes / 1024 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`
}
