/** A third kind of agent: Eliza, of whom it is known that she repeats what people say. */
import type { Driver } from "../../src/provider/drivers/Driver.ts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { basename } from "node:path"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import { elizaMain } from "./Examined.ts"

const eliza = { command: process.execPath, args: [elizaMain] }

/** What its profile says of the text at the end of a turn. */
export const repeats = "The parrot repeats itself."

export const ParrotDriver: Driver = {
  kind: "parrot",
  registryIds: ["polly"],
  recognises: ({ realPath }) => Effect.succeed(basename(realPath) === "parrot"),
  profile: Effect.succeed({
    ...GenericProfile,
    kind: "parrot",
    name: "The parrot",
    launch: (input) => GenericProfile.launch({ ...input, providerOptions: { acp: eliza } }),
    errorInText: (text) =>
      text === ""
        ? undefined
        : { code: "agent-reported-error", title: repeats, cause: text, evidence: {}, nextSteps: [] }
  }),
  check: () => Effect.succeed({ state: "ready", checks: [{ name: "found", state: "ok", detail: "In its cage" }] }),
  fingerprint: () => Effect.succeed("a parrot"),
  shown: () => ({ commandLine: "polly" }),
  withOption: (_, name) => Result.fail(`${name} is no option of a parrot`),
  withVariables: () => Result.fail("a parrot has no environment"),
  recorded: {
    asks: (method) => method === "parrot/ask",
    responseIn: () => ({ type: "accept" })
  }
}
