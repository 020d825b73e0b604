/** A digest of a prompt, for tapes without its text. It recognises the prompt when the agent repeats it. */
import { createHash } from "node:crypto"
import { essence } from "./PromptEssence.ts"

/** 16 hexadecimal digits. Prompts with equal {@link essence} have equal digests. */
export const promptDigest = (prompt: string): string =>
  createHash("sha256").update(essence(prompt)).digest("hex").slice(0, 16)
