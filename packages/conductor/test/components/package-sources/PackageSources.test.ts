/** Package sources in a chain: the agent asks, and a researcher in a session of its own answers from the source. */
import { assert, describe, it } from "@effect/vitest"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { packageSources } from "../../../src/components/package-sources/PackageSourcesComponent.ts"
import { ways } from "../../BothWays.ts"
import { bridge } from "../../McpParts.ts"
import { connect, initialize } from "../../Parts.ts"
import { node, standIn } from "../../Programs.ts"
import { prompt, query, research, resultIn, sessionIn } from "./Asker.ts"
import * as Crates from "./Crates.ts"

for (const { make, title } of ways)
  describe.skipIf(!Crates.cargoIsThere)(`package sources, ${title}`, () => {
    it.live("has a researcher read a crate, and tells the client nothing of its session", () =>
      Effect.gen(function* () {
        yield* Crates.ownCargoHome
        const vendored = temporaryFolder("vendor")
        Crates.vendor(vendored, "1.0.0")
        const crate = Crates.vendor(vendored, "1.2.0")
        const cwd = Crates.project(`directory = ${JSON.stringify(vendored)}`)
        const proxies = [yield* make(packageSources, ["--cache", temporaryFolder("cache")]), bridge]
        const agent = yield* node("tools", standIn("tools"), "--http")
        const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
        yield* initialize(client)
        const sessionId = yield* sessionIn(client, cwd)

        const listed = yield* prompt(client, sessionId, { list: "rust-crate-query" }, { list: "rust-crate-sources" })
        assert.match(listed.said, /^OK: rust_crate_query, package_query, crate_sources, list_research, get_research\n/)
        assert.include(listed.said, "ERROR: MCP server 'rust-crate-sources' not found")

        const asked = yield* prompt(
          client,
          sessionId,
          query(
            { crate_name: "greeting", crate_version: "1" },
            { list: "rust-crate-query" },
            { list: "rust-crate-sources" },
            research("get_rust_crate_source", { crate_name: "greeting", version: "=1.0.0" }),
            { read: join(crate, "src/lib.rs") },
            research("return_response_to_user", { response: "greet(name: &str) -> String" })
          )
        )
        assert.deepStrictEqual(resultIn(asked.said), { result: "greet(name: &str) -> String", version: "1.2.0" })
        assert.deepStrictEqual([...new Set(asked.heard.map(({ params }) => params.sessionId))], [sessionId])
        assert.isTrue(asked.heard.every(({ method }) => method === "session/update"))

        const plain = { call: "crate_sources", server: "rust-crate-query", with: { crate_name: "greeting" } }
        assert.deepStrictEqual(resultIn((yield* prompt(client, sessionId, plain)).said), {
          crate_name: "greeting",
          version: "1.2.0",
          path: crate
        })
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
      })
    )
  })
