/** `signalbox clients`: who is let in, who is invited, and their end, with a server and without one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

/** Enters with a token, in trade for a cookie. */
const comeIn = async (server: string, token: string): Promise<string> => {
  const headers = { origin: server, "content-type": "application/json" }
  const answer = await fetch(`${server}/session`, { method: "POST", headers, body: JSON.stringify({ token }) })
  return answer.headers.getSetCookie().join().split(";")[0] ?? ""
}

const status = (url: string, headers: Record<string, string>) =>
  Effect.promise(async () => (await fetch(url, { headers })).status)

interface Row {
  readonly id: string
  readonly kind: string
  readonly scope: string
  readonly name?: string
}

/** Calls `signalbox clients` on a state folder. */
const clientsOf =
  (state: string) =>
  (command: string, ...more: ReadonlyArray<string>) =>
    call(["clients", command, "--state-dir", state, ...more])

const rowsOf = (text: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("signalbox clients", () => {
  it.live("invites, lists, renames, rescopes and revokes clients of a server that runs", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const clients = clientsOf(state)
      const { port } = yield* reachable(yield* start(["--port", "0", "--state-dir", state]))
      const url = `http://127.0.0.1:${port}`
      const invited = yield* clients("invite", "--scope", "approve", "--name", "phone", "--for", "7d")
      assert.match(invited.stderr, /^Invitation [0-9a-f]{8} lets one browser in, with the scope approve\. /)
      const [link = "", token = ""] = invited.stdout.trim().split("#token=")
      assert.strictEqual(link, `${url}/`)
      const cookie = yield* Effect.promise(() => comeIn(url, token))
      assert.strictEqual(yield* status(`${url}/session`, { cookie }), 204)
      assert.strictEqual(yield* Effect.promise(() => comeIn(url, token)), "", "it can be used once")

      const [page] = rowsOf((yield* clients("list", "--json")).stdout)
      assert.include(page, { kind: "page", scope: "approve", name: "phone" })
      const id = page?.id ?? ""
      assert.strictEqual((yield* clients("rename", id, "old phone")).stderr, `Client ${id} is “old phone” now.\n`)
      assert.strictEqual((yield* clients("scope", id, "view")).stderr, `Client ${id} has the scope view now.\n`)
      const listed = yield* clients("list")
      assert.match(
        listed.stdout,
        /^ID +KIND +SCOPE +LAST HERE +EXPIRES +NAME\n\S{8} +page +view +\S+Z +\S+Z +old phone\n$/
      )
      assert.strictEqual((yield* clients("revoke", id)).stderr, `${id} is revoked.\n`)
      assert.strictEqual(yield* status(`${url}/session`, { cookie }), 401)

      const added = yield* clients("add", "--program", "--scope", "view", "--name", "ci")
      const authorization = `Bearer ${added.stdout.trim()}`
      assert.strictEqual(yield* status(`${url}/metrics`, { authorization }), 200)
      assert.notInclude(readFileSync(join(state, "clients.json"), "utf8"), added.stdout.trim())
      assert.strictEqual((yield* clients("revoke", "--all")).stderr, "1 client is revoked.\n")
      assert.strictEqual(yield* status(`${url}/metrics`, { authorization }), 401)
    }).pipe(Effect.scoped)
  )

  it.live("needs no server, and says what is wrong", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const clients = clientsOf(join(state, "new"))
      assert.strictEqual((yield* clients("list")).stderr, "No client is let in.\n")
      assert.include((yield* clients("revoke", "12345678")).stderr, "There is no client 12345678.")
      const invited = yield* clients("invite")
      assert.match(invited.stderr, /with the scope view\..*\nNo server runs on this state folder\./)
      assert.match(invited.stdout, /^\/#token=\S{43}\n$/)
      yield* clients("add", "--program")
      const all = yield* clients("revoke", "--all")
      assert.deepStrictEqual([all.code, all.stderr], [0, "1 client is revoked. 1 invitation is withdrawn.\n"])

      for (const [command = "", ...more] of [
        ["invite", "--for", "0d"],
        ["invite", "--for", "31d"],
        ["invite", "--for", "soon"],
        ["invite", "--name", "a\u202eb"],
        ["invite", "--scope", "owner"],
        ["add"],
        ["revoke"],
        ["revoke", "--all", "12345678"],
        ["scope", "12345678", "owner"]
      ]) {
        const refused = yield* clients(command, ...more)
        assert.strictEqual(refused.code, 2, `${command} ${more.join(" ")}: ${refused.stderr}`)
        assertReadable(refused)
      }
      for (const [command = "", ...more] of [
        ["revoke", "12345678"],
        ["rename", "12345678", "x"],
        ["scope", "../../etc", "view"]
      ]) {
        const refused = yield* clients(command, ...more)
        assert.strictEqual(refused.code, 1, `${command} ${more.join(" ")}: ${refused.stderr}`)
        assert.include(refused.stderr, `There is no client ${more[0]}.`)
        assertReadable(refused)
      }
    }).pipe(Effect.scoped)
  )

  it.live("says that a damaged file lets nobody in, and removes it; says so where it stays", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const clients = clientsOf(state)
      writeFileSync(join(state, "clients.json"), "{", { mode: 0o600 })
      assert.match((yield* clients("list")).stderr, /clients\.json can't be read: nobody in it is let in\./)
      assert.strictEqual((yield* clients("revoke", "--all")).code, 0)
      assert.strictEqual((yield* clients("list")).stderr, "No client is let in.\n")
      mkdirSync(join(state, "clients.json"))
      const stays = yield* clients("revoke", "--all")
      assert.strictEqual(stays.code, 1)
      assert.include(stays.stderr, "The clients were not changed.")
      assertReadable(stays)
    }).pipe(Effect.scoped)
  )
})
