/** The real YAML and Bash language servers: two servers in one folder, one with whole texts only. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { basename, join } from "node:path"
import { bash, project, serversFor, yaml } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })

describe("yaml-language-server and bash-language-server", () => {
  it.live(
    "serve their languages side by side",
    () =>
      Effect.gen(function* () {
        const folder = yield* project({
          "compose.yaml": "services:\n  web:\n    image: one\n",
          "lib.sh": 'greet() {\n  echo "hello $1"\n}\n',
          "run.sh": "#!/bin/bash\nsource ./lib.sh\ngreet world\n"
        })
        const servers = yield* serversFor(folder, { servers: [yaml, bash] })
        const compose = join(folder, "compose.yaml")
        const run = join(folder, "run.sh")
        const [[first], [second]] = yield* Effect.all([servers.forFile(compose), servers.forFile(run)], {
          concurrency: 2
        })
        if (first === undefined || second === undefined) return assert.fail("a server is missing")
        const symbols = yield* first.documentSymbols(compose)
        assert.deepStrictEqual(
          symbols.map(({ name }) => name),
          ["services"]
        )
        // It reads the other files of the folder behind its start, and says nothing of that.
        const [definition] = yield* second
          .definition(run, at(2, 1))
          .pipe(
            Effect.repeat({ until: ({ length }) => length > 0, schedule: Schedule.spaced("50 millis") }),
            Effect.timeout("60 seconds")
          )
        assert.strictEqual(basename(definition?.path ?? ""), "lib.sh")
        const twice = join(folder, "twice.yaml")
        yield* servers.documents.open({ path: twice, version: 1, text: "a: 1\na: 2\n" })
        const { found, waitingFor } = yield* servers.diagnostics.of(twice, { within: "1 minute" })
        assert.deepStrictEqual(waitingFor, [])
        assert.deepStrictEqual(
          found.flatMap(({ items }) => items.map(({ message }) => message)),
          ["Map keys must be unique"]
        )
        const states = yield* servers.states
        assert.deepStrictEqual(states.map(({ id, phase }) => `${id} ${phase}`).toSorted(), ["bash ready", "yaml ready"])
        // A change of ranges reaches a server of whole texts as one.
        yield* servers.documents.open({ path: run, version: 1, text: "one() { :; }\n" })
        yield* servers.documents.change(run, 2, [{ range: { start: at(0, 0), end: at(0, 3) }, text: "two" }])
        assert.deepStrictEqual(
          (yield* second.documentSymbols(run)).map(({ name }) => name),
          ["two"]
        )
      }),
    120_000
  )
})
