/** Takes the text of a JSON object apart. Each member can be passed on unchanged: its digits, its spaces, and the order of the members. */
import * as JsonScan from "./JsonScan.ts"

/** The members of one object, by name, each as the text that stands there. A name that comes twice counts the last time, as in `JSON.parse`. */
export type Members = Map<string, string>

/** The members of the object that a text is; undefined if it is another value, or no JSON. Spaces may stand around the object. */
export const members = (json: string): Members | undefined => {
  const found: Members = new Map()
  const isObject = JsonScan.readObject(json, 0, json.length, {
    add: (_, nameStart, nameEnd, valueStart, valueEnd) =>
      found.set(nameAt(json, nameStart, nameEnd), json.slice(valueStart, valueEnd))
  })
  return isObject ? found : undefined
}

/** The text of a JSON object with these members. */
export const object = (from: Members): string =>
  `{${Array.from(from, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`

/** The name that stands between these places, with its quotes. */
export const nameAt = (json: string, start: number, end: number): string => {
  const name = json.slice(start + 1, end - 1)
  return name.includes("\\") ? String(JSON.parse(json.slice(start, end))) : name
}
