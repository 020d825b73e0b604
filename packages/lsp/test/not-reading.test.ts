/** A server that reads nothing holds up neither people nor other servers, and is ended. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { type Scripted, scripted, until } from "./support/Scripted.ts"
import { patient, project, serversFor } from "./support/Servers.ts"

describe("a server that does not read", () => {
  it.live("is ended after a while, and others get each change meanwhile", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const script = { capabilities: { textDocumentSync: 1 } }
      const one = yield* scripted(script, { id: "one", name: "One" })
      const two = yield* scripted(script, { id: "two", name: "Two" })
      const servers = yield* serversFor(folder, {
        servers: [one.definition, two.definition],
        // Long enough for the one that reads, on a busy machine.
        limits: { ...patient, answer: Duration.seconds(5) }
      })
      yield* servers.documents.open({ path, version: 1, text: "" })
      yield* servers.forFile(path)
      const times = ({ received }: Scripted, name: string) => received().filter(({ method }) => method === name).length
      yield* until(() => [one, two].every((server) => times(server, "textDocument/didOpen") === 1))
      const [pid = assert.fail("it runs")] = one.pids()
      process.kill(pid, "SIGSTOP")
      const long = "x".repeat(200_000)
      for (let version = 2; version < 12; version++)
        yield* servers.documents.change(path, version, [{ text: `${long}${version}` }])
      yield* until(() => times(two, "textDocument/didChange") === 10)
      // It is started again, with the text of now.
      yield* until(() => times(one, "textDocument/didOpen") === 2)
      const [state] = yield* servers.states
      assert.include(state?.problem, "One ended. It had not read for 5 s what it was sent, so its program was stopped.")
    })
  )
})
