/** Tells commands apart by what they ask for: a command id that comes again must come with the same command. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { createHash } from "node:crypto"
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"

/** 22 characters; the same for commands that differ in nothing but the order of their members. */
export const digestOf = (command: ThreadCommand): string =>
  createHash("sha256").update(canonicalJson(command)).digest("base64url").slice(0, 22)
