/** `signalbox browsers`: who was let in, and their end, with a server and without one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Browsers from "@signalbox/loopback/Browsers"
import { reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

const letIn = (state: string) =>
  Browsers.open(join(state, "browsers.json"), (message) => assert.fail(message)).admit(Date.now())

/** Enters with the server's token, in trade for a cookie. */
const comeIn = async (server: string, token: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const answer = await fetch(`${server}/session`, { method: "POST", headers, body: JSON.stringify({ token }) })
  assert.strictEqual(answer.status, 204)
  return answer.headers.getSetCookie().join().split(";")[0] ?? ""
}

describe("signalbox browsers", () => {
  it.live("lists and shuts out browsers of a server that runs", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      const { port, token } = yield* reachable(server)
      const url = `http://127.0.0.1:${port}`
      const cookie = yield* Effect.promise(() => comeIn(url, token))
      const knock = Effect.promise(async () => (await fetch(`${url}/session`, { headers: { cookie } })).status)
      assert.strictEqual(yield* knock, 204)
      const listed = yield* call(["browsers", "list", "--state-dir", state])
      assert.match(listed.stdout, /^LAST HERE +EXPIRES\n\S+Z +\S+Z\n$/)
      const forgotten = yield* call(["browsers", "forget", "--state-dir", state])
      assert.deepStrictEqual([forgotten.code, forgotten.stderr], [0, "1 browser is shut out.\n"])
      assert.strictEqual(yield* knock, 401)
    }).pipe(Effect.scoped)
  )

  it.live("needs no server, and says so where nobody is in or the file stays", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      letIn(state)
      letIn(state)
      const listed = yield* call(["browsers", "list", "--json", "--state-dir", state])
      assert.lengthOf(listed.stdout.trim().split("\n"), 2)
      const forgotten = yield* call(["browsers", "forget", "--state-dir", state])
      assert.deepStrictEqual([forgotten.code, forgotten.stderr], [0, "2 browsers are shut out.\n"])
      const nobody = yield* call(["browsers", "list", "--state-dir", state])
      assert.deepStrictEqual([nobody.code, nobody.stderr], [0, "No browser is let in.\n"])
      mkdirSync(join(state, "browsers.json"))
      const stays = yield* call(["browsers", "forget", "--state-dir", state])
      assert.strictEqual(stays.code, 1)
      assert.include(stays.stderr, "The browsers could not be shut out.")
      assertReadable(stays)
    }).pipe(Effect.scoped)
  )
})
