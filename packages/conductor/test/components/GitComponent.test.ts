/** The git component in a chain: an agent calls its tools, in the folder of its session. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { git } from "../../src/components/git/GitComponent.ts"
import { ways } from "../BothWays.ts"
import { bridge } from "../McpParts.ts"
import { type Client, connect, initialize } from "../Parts.ts"
import { eliza } from "../Programs.ts"
import * as Repositories from "../../../ide/test/history/Repositories.ts"

/** What the agent answers to a prompt, in a session with this folder. */
const answerIn = Effect.fnUntraced(function* (client: Client, cwd: string, text: string) {
  const session = yield* client.request("session/new", JSON.stringify({ cwd, mcpServers: [] }))
  const { sessionId } = JSON.parse("result" in session ? session.result : "null")
  yield* client.request("session/prompt", JSON.stringify({ sessionId, prompt: [{ type: "text", text }] }))
  const { params = "null" } = yield* Queue.take(client.heard)
  return String(JSON.parse(params).update.content.text)
})

for (const { make, title } of ways)
  describe(`git, ${title}`, () => {
    it.live("gives an agent its tools, each session in its own folder", () =>
      Effect.gen(function* () {
        const first = yield* Repositories.withHistory
        const second = yield* Repositories.make
        second.write("other.txt", "other\n")
        second.commit("Other")
        const proxies = [yield* make(git, []), bridge]
        const agent = yield* eliza
        const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
        yield* initialize(client)
        const listed = yield* answerIn(client, first.folder, "List tools from git")
        assert.match(listed, /- git_log: Lists commits.*\n {2}- git_blame: .*\n {2}- git_diff: /)
        const log = "Use tool git::git_log with {}"
        assert.match(yield* answerIn(client, first.folder, log), /^OK: .*Third.*Second.*First/)
        const other = yield* answerIn(client, second.folder, log)
        assert.include(other, "Other")
        assert.notInclude(other, "Third")
        const diff = 'Use tool git::git_diff with {"range":"HEAD^.."}'
        assert.include(yield* answerIn(client, first.folder, diff), "+++ b/sub/b.txt")
        const blame = 'Use tool git::git_blame with {"path":"../x"}'
        assert.include(yield* answerIn(client, first.folder, blame), "../x is outside of the repository")
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
      })
    )
  })
