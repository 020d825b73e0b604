/** How much there is to read. */

const words = new Intl.Segmenter(undefined, { granularity: "word" })

/** Words of a text in any script, as a reader counts them. */
export const countWords = (text: string): number => {
  // Segmenting is exact and slow; a text this long is counted by its spaces.
  if (text.length > 20_000) return text.trim().split(/\s+/).length
  let count = 0
  for (const { isWordLike } of words.segment(text)) if (isWordLike) count++
  return count
}
