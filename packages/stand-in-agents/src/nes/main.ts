/** The reference agent for suggestions of the next edit: deterministic, without a model. `--help` says what it can do. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import * as NesAgent from "@signalbox/acp/NesAgent"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import { chats } from "./Chat.ts"
import { misbehaving } from "./Misbehaving.ts"
import { help, type Options, read, wantedBy } from "./Options.ts"
import * as Suggester from "./Suggester.ts"

interface Running {
  readonly session: NesAgent.Session
  readonly suggester: Suggester.Suggester
}

const program = (options: Options) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const running = new Map<string, Running>()
    const handlers = yield* NesAgent.handlers({
      wants: wantedBy(options),
      encodings: options.encodings,
      onProblem: (problem) => process.stderr.write(`signalbox-nes: ${problem}\n`),
      start: (session) =>
        Effect.gen(function* () {
          const suggester = Suggester.make(session, options)
          running.set(session.id, { session, suggester })
          yield* Effect.addFinalizer(() => Effect.sync(() => running.delete(session.id)))
          return suggester
        }).pipe(Effect.provideService(Scope.Scope, session.scope))
    })
    const agent = yield* AcpAgent.make({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }, (client) =>
      misbehaving(
        handlers(
          client,
          chats(client, options, (scope) =>
            Effect.forEach(running.values(), ({ suggester }) => suggester.setScope(scope), { discard: true })
          )
        ),
        options,
        (sessionId, uri) => running.get(sessionId)?.session.documents.get(uri)
      )
    )
    yield* agent.closed
    // A request that never ends must not keep the program.
    process.exit(0)
  })

const words = process.argv.slice(2)
const options = read([...(process.env["SIGNALBOX_NES"] ?? "").split(/\s+/).filter((word) => word !== ""), ...words])
if (words.includes("--help")) process.stdout.write(help)
else if ("problem" in options) {
  process.stderr.write(`${options.problem}\n\n${help}`)
  process.exitCode = 2
} else program(options).pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
