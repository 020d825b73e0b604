/** What an agent writes while somebody signs in, as frames: plain lines, and the addresses in them. */
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import { plain } from "../../Plain.ts"
import { linksIn } from "./Links.ts"

/** Lines that are handed on in one attempt, and characters of each. */
const maxLines = 500
const maxLineLength = 2_000
/** Characters of an address that has not come whole yet. */
const maxRest = 8_192

/** Lines that the agent writes beside the protocol, without what is for terminals, and the addresses in them. */
export const textFrames = (emit: (frame: SignInFrame) => void): ((line: string) => void) => {
  let lines = 0
  const seen = new Set<string>()
  return (line) => {
    const text = plain(line).trimEnd()
    for (const url of linksIn(text)) {
      if (!seen.has(url) && seen.size < maxLines) emit({ type: "link", url })
      seen.add(url)
    }
    lines += 1
    if (text !== "" && lines <= maxLines) emit({ type: "text", line: text.slice(0, maxLineLength) })
  }
}

/** The addresses in what a terminal shows, which comes in pieces: each counts once it has come whole. */
export const linkFrames = (): ((data: string) => ReadonlyArray<SignInFrame>) => {
  let rest = ""
  const seen = new Set<string>()
  return (data) => {
    const shown = rest + data
    const end = Math.max(shown.lastIndexOf("\n"), shown.lastIndexOf(" "))
    rest = shown.slice(end + 1).slice(-maxRest)
    const fresh = [...new Set(linksIn(plain(shown.slice(0, end + 1))))].filter((url) => !seen.has(url))
    for (const url of fresh) seen.add(url)
    return fresh.map((url) => ({ type: "link", url }))
  }
}
