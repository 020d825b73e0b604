/** The size of all texts in a value, however deep they are nested. */
export const textsIn = (value: unknown, sizeOf: (text: string) => number): number => {
  if (typeof value === "string") return sizeOf(value)
  if (typeof value !== "object" || value === null) return 0
  let size = 0
  for (const part of Object.values(value)) size += textsIn(part, sizeOf)
  return size
}
