/**
 * The message for a command that needs a state folder for itself: which server uses it, and how to reach that server.
 */
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith } from "../terminal/Failure.ts"
import * as RunningServer from "@signalbox/attach/RunningServer"

/**
 * `why`: the reason that the folder can't be shared, a sentence. `instead`: what people can do besides opening or
 * stopping the other server.
 */
export const stateInUse = (directory: string, { instead, why }: { readonly why: string; readonly instead: string }) => {
  const other = RunningServer.announcedIn(directory)
  return failedWith(
    {
      code: "internal",
      title: "Another Signalbox is using this state folder.",
      cause:
        other === undefined
          ? `It has not said where it can be reached: it may be about to start, or to end. ${why}`
          : `Process ${other.pid} has it, and listens at ${other.url}. ${why}`,
      evidence: {},
      nextSteps: [
        ...(other === undefined
          ? [{ action: "restart" as const, label: "Try again in a moment" }]
          : [
              { action: "run-command" as const, label: "Open it", command: `${other.url}/#token=${other.token}` },
              { action: "run-command" as const, label: "Or stop it", command: `kill ${other.pid}` }
            ]),
        { action: "set-option", label: instead }
      ]
    },
    ExitCode.stateInUse
  )
}
