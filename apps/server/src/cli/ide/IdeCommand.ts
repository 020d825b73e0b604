/** `signalbox ide` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Catalogue from "@signalbox/ide/operations/Catalogue"
import { lazily, paragraphs, stateDir } from "../Subcommand.ts"

export const ideCommand = Command.make(
  "ide",
  {
    stateDir,
    cwd: Flag.String("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("The folder that the program is about (default: this one)"),
      Flag.withDefault(".")
    ),
    server: Flag.String("server").pipe(
      Flag.withMetavar('"LANGUAGE=CMD ARGS"'),
      Flag.withDescription(
        "A language server, such as 'python=pyright-langserver --stdio'; may be repeated (default: those that are known and on this machine)"
      ),
      Flag.atLeast(0)
    ),
    timeout: Flag.Finite("timeout").pipe(
      Flag.withMetavar("SECONDS"),
      Flag.withDescription("How long the program may take, with the start of language servers"),
      Flag.withDefault(60)
    ),
    program: Argument.String("program").pipe(
      Argument.withDescription("The program, such as 'findReferences(findDefinitions(\"Shop\"))'")
    )
  },
  (flags) => lazily(async () => (await import("./RunProgram.ts")).runProgram(flags))
).pipe(
  Command.withShortDescription("Ask language servers about code, by a program of Dialect"),
  Command.withDescription(
    paragraphs(
      "Ask language servers about code, by a program of Dialect, and print the result as JSON. Agents ask in the same way, by the component ide-operations.",
      `A program is JSON with calls in it. The functions are: ${Catalogue.names.join(", ")}.`,
      "Language servers of the project itself are not started, unless --server names them.",
      "Exit codes: 0 completed, 1 failed, 2 usage, or a program that can't be run."
    )
  )
)
