/** Digests of commands. A repeated command id must come with an equal command. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { createHash } from "node:crypto"
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"

/** 22 characters. Commands that differ only in the order of their members have equal digests. */
export const digestOf = (command: ThreadCommand): string =>
  createHash("sha256").update(canonicalJson(command)).digest("base64url").slice(0, 22)
