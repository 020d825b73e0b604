import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const attempt: ReadonlyArray<Step> = [{ text: "I looked " }, { text: "at the " }, { text: "tests" }]
const note: Step = { text: "Info: Response was interrupted due to a server error. Retrying..." }

/** copilot 1.0.102: no ids. A note stands right behind what broke off, and so does the last error. */
export const copilotRetries: Setup = {
  prompts: [
    [
      ...attempt,
      note,
      ...attempt,
      note,
      ...attempt,
      { text: "Error: Failed to get response from the AI model; retried 2 times" }
    ]
  ]
}

/** pi-acp 0.0.34: copilot's retries with other texts. It also reports the end of the retry. */
export const piRetries: Setup = {
  prompts: [
    [
      ...attempt,
      { text: "Retrying (attempt 1/3, waiting 2s)..." },
      ...attempt,
      { text: ", and two fail." },
      { text: "Retry finished, resuming." }
    ]
  ]
}
