/** JSON text that is equal for equal content. The order of members does not matter; the order of lists does. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, inOrder) ?? "null"

/** A replacer for `JSON.stringify` that sorts the members of objects by name. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
