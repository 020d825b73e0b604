/** `signalbox backup` and `signalbox restore` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily, paragraphs, stateDir } from "../Subcommand.ts"

export const backupCommand = Command.make(
  "backup",
  { stateDir, file: Argument.String("file").pipe(Argument.withDescription("The new file, your own to read only")) },
  (flags) => lazily(async () => (await import("./Backups.ts")).backup(flags))
).pipe(
  Command.withShortDescription("Copy all threads to a file, also while a server runs"),
  Command.withDescription(
    "Copy all threads to a file, as they are at one moment, and check the copy. The audit log is copied to a file beside it, FILE-audit. A server may run meanwhile. Tapes and logs are not part of it."
  )
)

export const restoreCommand = Command.make(
  "restore",
  { stateDir, file: Argument.String("file").pipe(Argument.withDescription("A file that signalbox backup has made")) },
  (flags) => lazily(async () => (await import("./Backups.ts")).restore(flags))
).pipe(
  Command.withShortDescription("Put a backup in the place of all threads, while no server runs"),
  Command.withDescription(
    paragraphs(
      "Put a backup in the place of all threads, while no server runs. What was there before is kept beside it, under another name.",
      "Exit codes: 0 done, 1 failed, 2 usage, 7 a server uses the state folder."
    )
  )
)
