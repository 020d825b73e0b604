/** Programs of an agent that run in terminals of the editor. What is known of them is what the editor says. */
import { isRecord } from "@signalbox/contracts/Json"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Editor } from "../../../editors/EditorDesk.ts"
import * as EditorPath from "../../../editors/EditorPath.ts"
import { PathRefused } from "../../../workspace/Containment.ts"
import type { Ending, StartProgram } from "../../../workspace/Terminal.ts"

export interface Options {
  readonly threadId: ThreadId
  /** The folders of the session, by the names that they were given. */
  readonly folders: ReadonlyArray<string>
  readonly warn: (message: string, detail?: string) => void
}

/** The time for an editor to make a terminal: people may have to agree. */
const madeWithin = "2 minutes"

/** The time for everything else that an editor is asked, but the end of a program. */
const answeredWithin = "2 seconds"

/** The pause between two looks at the output of a program that runs. */
const pace = "1 second"

/** Makes the way to start programs in an editor. Closing the scope releases the terminals that are left. */
export const make = Effect.fnUntraced(function* ({
  folders,
  threadId,
  warn
}: Options): Effect.fn.Return<(editor: Editor) => StartProgram, never, Scope.Scope> {
  const unreleased = new Set<Effect.Effect<void>>()
  yield* Effect.addFinalizer(() => Effect.forEach(unreleased, (release) => release, { concurrency: "unbounded" }))

  return (editor) => (program, screen) =>
    Effect.gen(function* () {
      const { args, command, env } = program
      const cwd = yield* EditorPath.of(folders, program.cwd)
      const params = {
        sessionId: threadId,
        command,
        args: [...args],
        env: Object.entries(env).map(([name, value]) => ({ name, value })),
        cwd,
        outputByteLimit: screen.limit
      }
      const terminalId = yield* editor.ask("terminal/create", params, { terminalId: screen.terminalId }).pipe(
        Effect.timeout(madeWithin),
        // The agent may take its request back.
        Effect.interruptible,
        Effect.mapError((error) => noTerminal(command, notMade(editor.name, error))),
        Effect.flatMap((made) =>
          isRecord(made) && typeof made["terminalId"] === "string"
            ? Effect.succeed(made["terminalId"])
            : Effect.fail(noTerminal(command, `${editor.name} made a terminal without an id.`))
        )
      )
      const ask = (method: "terminal/output" | "terminal/kill" | "terminal/release") =>
        editor
          .ask(method, { sessionId: threadId, terminalId })
          .pipe(Effect.interruptible, Effect.timeout(answeredWithin), Effect.option)
      const release: Effect.Effect<void> = Effect.suspend(() =>
        unreleased.delete(release) ? ask("terminal/release") : Effect.void
      )
      unreleased.add(release)
      const ending = Deferred.makeUnsafe<Ending>()
      const end = (how: Ending) => Deferred.doneUnsafe(ending, Exit.succeed(how))
      const lost = (why: string) => {
        warn(`${editor.name} ${why}. Nobody knows how a program ended that it ran.`, command)
        end({})
      }
      const fetch = Effect.map(ask("terminal/output"), (said) => {
        const value = Option.getOrUndefined(said)
        if (!isRecord(value) || typeof value["output"] !== "string") return
        screen.become(value["output"], value["truncated"] === true)
      })
      yield* editor.ask("terminal/wait_for_exit", { sessionId: threadId, terminalId }).pipe(
        Effect.tap(fetch),
        Effect.match({
          onFailure: (error) => lost(error._tag === "EditorLeft" ? "has left" : `refused to wait: ${error.message}`),
          onSuccess: (status) => end(endingOf(status))
        }),
        Effect.forkScoped
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pace), fetch)))
      const asked = Latch.makeUnsafe(false)
      const forced = Latch.makeUnsafe(false)
      yield* Effect.forkScoped(asked.whenOpen(ask("terminal/kill")))
      yield* Deferred.await(ending).pipe(
        Effect.timeoutOrElse({
          duration: answeredWithin,
          orElse: () => Effect.sync(() => lost("was asked to end a program, and did not say that it has"))
        }),
        (wait) => forced.whenOpen(wait),
        Effect.forkScoped
      )
      return {
        signal: (signal) => {
          asked.openUnsafe()
          if (signal === "SIGKILL") forced.openUnsafe()
        },
        over: Deferred.await(ending),
        elsewhere: { fetch, release }
      }
    })
})

const noTerminal = (command: string, message: string): PathRefused =>
  new PathRefused({ reason: "system", path: command, message })

const notMade = (name: string, error: { readonly _tag: string; readonly message: string; readonly code?: number }) => {
  if (error._tag === "EditorLeft")
    return `${name} left before it made a terminal. Nobody knows whether the program runs.`
  if (error.code === undefined) return `${name} did not make a terminal within ${madeWithin}.`
  return `${name} refused to make a terminal: ${error.message} (${error.code}).`
}

const endingOf = (status: unknown): Ending => {
  if (!isRecord(status)) return {}
  const { exitCode, signal } = status
  return {
    ...(typeof exitCode === "number" && { exitCode }),
    ...(typeof signal === "string" && { signal })
  }
}
