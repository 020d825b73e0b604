/** The quote agent: each prompt gets the next quote of Homer, word by word. A session goes on where it was, also in another process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import { randomUUID } from "node:crypto"
import * as Cursors from "./Cursors.ts"

/** From the Iliad and the Odyssey, in Samuel Butler's translation. */
const quotes = [
  "Sing, O goddess, the anger of Achilles son of Peleus, that brought countless ills upon the Achaeans.",
  "Tell me, O Muse, of that ingenious hero who travelled far and wide after he had sacked the famous town of Troy.",
  "Now when the child of morning, rosy-fingered Dawn, appeared, Telemachus rose and dressed himself."
]

const [folder, ...rest] = process.argv.slice(2)
if (folder === undefined || rest.length > 0) {
  process.stderr.write("quote FOLDER: the folder keeps where each session is\n")
  process.exit(2)
}
const cursors = Cursors.make(folder)

const known = (sessionId: string): Effect.Effect<number, RpcError> => {
  const heard = cursors.get(sessionId)
  return heard === undefined
    ? Effect.fail(RpcError.invalidParams(`There is no session ${sessionId}`))
    : Effect.succeed(heard)
}

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const output = stdio.stdout({ endOnDone: false })
  const agent = yield* AcpAgent.make({ input: stdio.stdin, output }, (client) => ({
    initialize: () =>
      Effect.succeed({
        protocolVersion: 1,
        agentInfo: { name: "quote", title: "Quote", version: "0.1.0" },
        agentCapabilities: { sessionCapabilities: { resume: {} } }
      }),
    newSession: () =>
      Effect.sync(() => {
        const sessionId = randomUUID()
        cursors.set(sessionId, 0)
        return { sessionId }
      }),
    resumeSession: ({ sessionId }) => Effect.as(known(sessionId), {}),
    prompt: Effect.fnUntraced(function* ({ sessionId }) {
      const heard = yield* known(sessionId)
      cursors.set(sessionId, heard + 1)
      const quote = quotes[heard % quotes.length] ?? ""
      for (const text of quote.match(/\S+\s*/g) ?? [])
        yield* Effect.ignore(
          client.sendUpdate(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
        )
      return { stopReason: "end_turn" as const }
    })
  }))
  yield* agent.closed
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
