/** Tells commands apart by what they ask for: a command id that comes again must come with the same command. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { createHash } from "node:crypto"

/** 22 characters; the same for commands that differ in nothing but the order of their members. */
export const digestOf = (command: ThreadCommand): string =>
  createHash("sha256").update(JSON.stringify(command, inOrder)).digest("base64url").slice(0, 22)

/** For `JSON.stringify`: the members of an object by name. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
