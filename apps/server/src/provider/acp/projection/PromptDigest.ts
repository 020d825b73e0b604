/** A prompt as a tape may name it that does not hold it: enough to recognise it when the agent tells it again. */
import { createHash } from "node:crypto"
import { essence } from "./PromptEssence.ts"

/** 16 hexadecimal digits; the same for prompts that a {@link essence | reader would not tell apart}. */
export const promptDigest = (prompt: string): string =>
  createHash("sha256").update(essence(prompt)).digest("hex").slice(0, 16)
