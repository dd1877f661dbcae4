/** A test by a pattern in which `*` stands for any characters and `?` for one. Letters match in either case. */
export const createWildcard = (pattern: string): ((text: string) => boolean) => {
  const wanted = Array.from(pattern.toLowerCase())
  return (given) => {
    const text = Array.from(given.toLowerCase())
    let [at, index, star, resume] = [0, 0, -1, 0]
    while (at < text.length) {
      if (
        index < wanted.length &&
        (wanted[index] === '?' || (wanted[index] === text[at] && wanted[index] !== '*'))
      ) {
        at++
        index++
      } else if (wanted[index] === '*') {
        star = index++
        resume = at
      } else if (star >= 0) {
        index = star + 1
        at = ++resume
      } else return false
    }
    return wanted.slice(index).every((rest) => rest === '*')
  }
}
