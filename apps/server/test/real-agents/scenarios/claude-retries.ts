import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const attempt = (messageId: string, ...pieces: ReadonlyArray<string>): ReadonlyArray<Step> =>
  pieces.map((text) => ({ text, messageId }))

/** claude-agent-acp 0.100.0: where the stream breaks off, the answer is streamed once more from its beginning, under a new id. */
export const claudeRetries: Setup = {
  prompts: [
    [
      ...attempt("msg_000002", "I looked ", "at the ", "tests"),
      ...attempt("msg_000003", "I looked ", "at the ", "tests"),
      ...attempt("msg_000004", "I ", "looked at the te", "sts: two fail.")
    ]
  ]
}

/** A retry with a model that thinks: thoughts and text of an answer have the same id. */
export const claudeThoughtfulRetries: Setup = {
  prompts: [
    [
      { thought: "hm", messageId: "msg_000002" },
      ...attempt("msg_000002", "I looked ", "at the ", "tests"),
      { thought: "so", messageId: "msg_000003" },
      ...attempt("msg_000003", "I looked at the tests, ", "and two fail.")
    ]
  ]
}
