/**
 * The contract of `Threads`: what holds for every host. Over the fake provider and whatever the host keeps threads in; a host is
 * what starts again over the same file after its process was killed.
 */
import { describe } from "@effect/vitest"
import { bootOn, type Host } from "../support/ThreadsHarness.ts"
import { commands } from "./threads-contract/Commands.ts"
import { prompts } from "./threads-contract/Prompts.ts"
import { queue } from "./threads-contract/Queue.ts"
import { removal } from "./threads-contract/Removal.ts"
import { watching } from "./threads-contract/Watching.ts"
import { windows } from "./threads-contract/Windows.ts"

export const contract = (name: string, host: Host): void => {
  describe(`threads on ${name}`, () => {
    for (const part of [commands, prompts, queue, watching, windows, removal]) part((file) => bootOn(host, file))
  })
}
