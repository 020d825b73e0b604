/** The members of a message that JSON-RPC knows, each as the text that stands there; undefined where it is absent. */
import * as JsonScan from "./JsonScan.ts"
import * as JsonText from "./JsonText.ts"

const names = ["id", "method", "params", "result", "error"] as const
type Name = (typeof names)[number]

export class MessageParts implements JsonScan.Members {
  id: string | undefined = undefined
  method: string | undefined = undefined
  params: string | undefined = undefined
  result: string | undefined = undefined
  error: string | undefined = undefined

  add(json: string, nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const name = nameAt(json, nameStart, nameEnd)
    if (name !== undefined) this[name] = json.slice(valueStart, valueEnd)
  }

  /** The parts of the object between two places of a text; undefined if another value stands there, or no JSON. */
  static read(json: string, from: number, to: number): MessageParts | undefined {
    const parts = new MessageParts()
    return JsonScan.readObject(json, from, to, parts) ? parts : undefined
  }
}

/** A name with an escaped letter has at least these characters, with its quotes: `"i\u0064"`. */
const shortestEscaped = 9

const nameAt = (json: string, start: number, end: number): Name | undefined => {
  for (const name of names) if (end - start === name.length + 2 && json.startsWith(name, start + 1)) return name
  if (end - start < shortestEscaped) return undefined
  const name = JsonText.nameAt(json, start, end)
  return names.find((known) => known === name)
}
