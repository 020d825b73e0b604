/** What the reference agent can do wrong, each by a switch, so that clients can be tried with it. */
export const misbehaviours = {
  slow: "answers after the delay, 5 seconds by default",
  never: "never answers nes/suggest, not even when it is cancelled",
  "stale-version": "answers for the text as it was before the last change",
  "overlapping-edits": "suggests edits that overlap",
  "out-of-range": "suggests edits beyond the end of a line and of the document",
  "inside-a-character": "suggests an edit that begins in the middle of a character",
  "inverted-range": "suggests an edit that ends before it begins",
  "kinds-not-offered": "suggests every kind, whatever the client offers",
  "unknown-kind": "suggests a kind that does not exist, before its own suggestions",
  ten: "suggests ten edits at once",
  "ten-thousand": "suggests ten thousand edits at once",
  "duplicate-ids": "gives every suggestion the same id",
  dies: "ends with exit code 9 after its first answer to nes/suggest",
  "no-such-method": "claims nes, and answers -32601 to nes/start",
  "sign-in": "answers -32000 to nes/start until authenticate was called",
  "slow-pattern": "suggests a search by a regular expression that takes exponential time",
  "wrong-uri": "suggests edits of files that nobody has opened, and of what is no file",
  "huge-text": "suggests to insert 8 MB"
} as const

export type Misbehaviour = keyof typeof misbehaviours

export const isMisbehaviour = (name: string): name is Misbehaviour => Object.hasOwn(misbehaviours, name)
