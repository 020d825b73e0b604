/** Tool calls that name a file that a rule allows, and may do more than that. None of them is allowed. */
import { assert, describe, it } from "@effect/vitest"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import type { ToolKind } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CallJudging from "../../src/cli/rules/CallJudging.ts"
import * as GivenRequest from "../../src/cli/rules/GivenRequest.ts"
import * as Judging from "../../src/rules/Judging.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const rules: ReadonlyArray<PlacedRule> = [
  {
    effect: "allow",
    match: { path: "${project}/src/**" },
    source: "user",
    file: "/rules.json",
    line: 1,
    number: 1,
    folder: undefined
  }
]

const project = realpathSync(temporaryFolder("calls"))
for (const folder of ["src/dotfiles"]) mkdirSync(join(project, folder), { recursive: true })
for (const file of ["src/a.ts", "src/dotfiles/x"]) writeFileSync(join(project, file), "x")
symlinkSync("src/dotfiles", join(project, ".vscode"))
symlinkSync("src/dotfiles", join(project, ".git"))

const judged = (body: object) =>
  Effect.flatMap(Effect.fromResult(GivenRequest.of(JSON.stringify(body))), (call) =>
    CallJudging.judge(rules, { agent: "cursor", cwd: project, own: [] }, call)
  )

const effectOf = (kind: ToolKind, rawInput: object) => Effect.map(judged({ kind, rawInput }), ({ effect }) => effect)

describe("A rule that allows a path", () => {
  it.live("allows to read and to change it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* effectOf("read", { path: "src/a.ts" }), "allow")
      assert.strictEqual(yield* effectOf("edit", { path: "src/a.ts", content: "rm -rf ~" }), "allow")
      assert.strictEqual(yield* effectOf("other", { path: "src/a.ts" }), "allow")
    })
  )

  it.live("allows no call that has a member which is not understood beside it, of whatever kind", () =>
    Effect.gen(function* () {
      const kinds = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
      for (const kind of kinds)
        for (const more of [{ script: "rm -rf ~" }, { code: ["rm"] }, { server: "x", tool: "y", command: "rm" }])
          assert.strictEqual(
            (yield* judged({ kind, rawInput: { path: "src/a.ts", ...more } })).effect,
            "ask",
            JSON.stringify([kind, more])
          )
    })
  )

  it.live("runs no program", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* effectOf("execute", { path: "src/a.ts" }), "ask")
    })
  )

  it.live("gives no task of an agent", () =>
    Effect.gen(function* () {
      const task = { subagent_type: "any", description: "d", prompt: "Remove all", path: "src/a.ts" }
      assert.strictEqual(yield* effectOf("other", task), "ask")
      assert.strictEqual(yield* effectOf("think", task), "ask")
    })
  )

  it.live("allows no guarded name that is a link to it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* effectOf("edit", { path: ".vscode/tasks.json", content: "x" }), "ask")
      assert.strictEqual(yield* effectOf("edit", { path: ".git/config", content: "x" }), "deny")
    })
  )
})

describe("A rule that allows a command", () => {
  it.live("allows none of an agent on another machine, whatever folder it names", () =>
    Effect.gen(function* () {
      const [first] = rules
      const allowing = first === undefined ? [] : [{ ...first, match: { command: "ls" } }]
      const call = yield* Effect.fromResult(
        GivenRequest.of(JSON.stringify({ kind: "execute", rawInput: { command: "ls", cwd: project } }))
      )
      const look = { locations: [], paths: [], unclear: undefined, words: [] }
      const judge = (isRemote: boolean) =>
        Judging.call(
          allowing,
          { agent: "far", cwd: project, own: [] },
          { base: isRemote ? undefined : project, isRemote, shell: "sh" },
          call,
          look
        )
      assert.strictEqual((yield* judge(false)).effect, "allow")
      assert.strictEqual((yield* judge(true)).effect, "ask")
    })
  )
})
