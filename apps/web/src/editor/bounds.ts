/** What fits into a message to the server. A longer one would end the connection. */
import { mostDocumentBytes } from "@signalbox/contracts/Documents"
import type { Problem } from "@signalbox/contracts/Problem"

/** Less than the server takes in one message, which is 32 MiB. */
const mostMessageBytes = 30 * 1024 * 1024

const encoder = new TextEncoder()

/** Whether a call with these texts fits into a message. */
export const fits = (texts: object): boolean => encoder.encode(JSON.stringify(texts)).length <= mostMessageBytes

/** Why a text can't be saved, if it is too long. */
export const tooLong = (text: string, name: string): Problem | undefined => {
  // A text has at least as many bytes as units.
  const bytes = text.length > mostDocumentBytes ? text.length : encoder.encode(text).length
  if (bytes <= mostDocumentBytes) return undefined
  return {
    code: "unsupported",
    title: `${name} was not saved.`,
    cause: `Its text is longer than ${mostDocumentBytes / 1024 / 1024} MiB, which is the most that the editor saves.`,
    evidence: {},
    nextSteps: [{ action: "set-option", label: "Make it shorter, then save again" }]
  }
}
