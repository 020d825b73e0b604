/** A short title in the style of the real one, such as `Robotics Essay`. */
export const titleOf = (prompt: string): string => {
  const words = prompt
    .replace(/\[\[.*?\]\]/gs, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, 5)
  return words.length === 0 ? "Simulated Session" : words.map(capital).join(" ")
}

const capital = (word: string): string => {
  const [first = "", ...rest] = Array.from(word)
  return first.toUpperCase() + rest.join("")
}
