/** What is said to a second server on a state folder: who is there already, and how to get to it. */
import { ExitCode } from "./ExitCode.ts"
import { failedWith } from "./Failure.ts"
import * as ServerClient from "./ServerClient.ts"

export const stateInUse = (directory: string) => {
  const other = ServerClient.fileIn(directory)
  const reason = `Two servers on ${directory} would run the same threads twice.`
  return failedWith(
    {
      code: "internal",
      title: "Another Signalbox is using this state folder.",
      cause:
        other === undefined
          ? `It has not said where it can be reached: it may be about to start, or to end. ${reason}`
          : `Process ${other.pid} has it, and listens at ${other.url}. ${reason}`,
      evidence: {},
      nextSteps: [
        ...(other === undefined
          ? [{ action: "restart" as const, label: "Try again in a moment" }]
          : [
              { action: "run-command" as const, label: "Open it", command: `${other.url}/#token=${other.token}` },
              { action: "run-command" as const, label: "Or stop it", command: `kill ${other.pid}` }
            ]),
        { action: "set-option", label: "Or choose another folder with --state-dir" }
      ]
    },
    ExitCode.stateInUse
  )
}
