/** An agent's output during a sign-in, as frames: plain lines, and the addresses in them. */
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import { stripped } from "../../../base/Plain.ts"
import { linksIn } from "./Links.ts"

/** Most lines and addresses of one attempt, and most characters of a line. */
const maxLines = 500
const maxLinks = 500
const maxLineLength = 2_000
/** Most characters of an address that is still incomplete. */
const maxRest = 8_192

/**
 * Makes frames of the agent's lines outside of the protocol: without terminal controls, and with the addresses in them.
 */
export const textFrames = (emit: (frame: SignInFrame) => void): ((line: string) => void) => {
  let lines = 0
  const seen = new Set<string>()
  return (line) => {
    const text = stripped(line).trimEnd()
    for (const url of freshIn(text, seen)) emit({ type: "link", url })
    lines += 1
    if (text !== "" && lines <= maxLines) emit({ type: "text", line: text.slice(0, maxLineLength) })
  }
}

/** Finds addresses in a terminal's output, which comes in pieces. Each counts when it is complete. */
export const linkFrames = (): ((data: string) => ReadonlyArray<SignInFrame>) => {
  let rest = ""
  const seen = new Set<string>()
  return (data) => {
    const shown = rest + data
    const end = Math.max(shown.lastIndexOf("\n"), shown.lastIndexOf(" "))
    rest = shown.slice(end + 1).slice(-maxRest)
    return freshIn(stripped(shown.slice(0, end + 1)), seen).map((url) => ({ type: "link", url }))
  }
}

/** The addresses that are new. They are added to `seen`. */
const freshIn = (text: string, seen: Set<string>): ReadonlyArray<string> => {
  const fresh = [...new Set(linksIn(text))].filter((url) => !seen.has(url)).slice(0, maxLinks - seen.size)
  for (const url of fresh) seen.add(url)
  return fresh
}
