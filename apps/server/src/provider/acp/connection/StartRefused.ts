/** Explains that a rule denies the start of an agent. */
import * as CommandLine from "effect/process/CommandLine"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"

/** `why`: the sentence of the rule. `cwd`: the absolute folder whose rules are in force. */
export const startRefused = (name: string, why: string, cwd: string): ProviderError =>
  providerError("config-invalid", `${name} was not started.`, why, {
    nextSteps: [
      {
        action: "run-command",
        label: "See your rules",
        command: CommandLine.display(["signalbox", "rules", "list", "--cwd", cwd])
      }
    ]
  })
