import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { RequestId } from "@signalbox/contracts/Ids"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Result from "effect/Result"
import { display } from "effect/process/CommandLine"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { decide } from "../../src/cli/run/ApprovalPolicy.ts"
import * as CommandWords from "@signalbox/process/CommandWords"
import * as Log from "../../src/cli/serve/Log.ts"
import { choose, inOrder, parseSet } from "../../src/cli/run/SettingChoice.ts"
import { stateDirectory } from "@signalbox/system/StateDirectory"
import * as Directories from "../../src/workspace/Directories.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

describe("CommandLine", () => {
  const words = (line: string) => Result.getOrThrow(CommandWords.split(line))

  it("splits by the quoting rules of a shell", () => {
    assert.deepStrictEqual(words("agent --flag  value"), ["agent", "--flag", "value"])
    assert.deepStrictEqual(words(` "a b" 'c d' e\\ f `), ["a b", "c d", "e f"])
    assert.deepStrictEqual(words(`x="a b"'c'd`), [`x=a bcd`])
    assert.deepStrictEqual(words(`'a "b" \\n' "a 'b' \\"c\\" \\n"`), [`a "b" \\n`, `a 'b' "c" \\n`])
    assert.deepStrictEqual(words(`a "" ''`), ["a", "", ""])
    assert.deepStrictEqual(words("$HOME *.ts | ; &"), ["$HOME", "*.ts", "|", ";", "&"])
  })

  it("says what is wrong with a line that cannot be split", () => {
    for (const line of ["", "   ", "'a", `"a`, "a\\"]) assert.isTrue(Result.isFailure(CommandWords.split(line)), line)
  })

  it("quotes what it would split", () => {
    for (const word of ["plain", "two words", "it's", `"`, "$x", "a\\b"]) {
      assert.deepStrictEqual(words(`agent ${display([word])}`), ["agent", word])
    }
  })
})

describe("SettingChoice", () => {
  const settings: ReadonlyArray<SessionSetting> = [
    {
      type: "select",
      id: "agent-mode",
      name: "Mode",
      category: "mode",
      value: "code",
      groups: [
        {
          choices: [
            { value: "code", name: "Code" },
            { value: "plan", name: "Plan" }
          ]
        }
      ]
    },
    { type: "select", id: "model", name: "Model", groups: [{ name: "All", choices: [{ value: "m=1", name: "m=1" }] }] },
    { type: "boolean", id: "fast", name: "Fast", value: false },
    { type: "unknown", id: "strange", name: "Strange", raw: "{}" }
  ]
  const chosen = (flag: "--mode" | "--model" | "--set", value: string, settingId?: string) =>
    choose(settings, { flag, value, ...(settingId !== undefined && { settingId }) })

  it("finds mode and model by category, then by id, and others by id", () => {
    assert.deepStrictEqual(chosen("--mode", "plan"), Result.succeed({ settingId: "agent-mode", value: "plan" }))
    assert.deepStrictEqual(chosen("--model", "m=1"), Result.succeed({ settingId: "model", value: "m=1" }))
    assert.deepStrictEqual(chosen("--set", "true", "fast"), Result.succeed({ settingId: "fast", value: true }))
  })

  it("names what is offered where something is not", () => {
    const mode = Result.getOrThrow(Result.flip(chosen("--mode", "Plan")))
    assert.deepStrictEqual(mode.offered, ["code  (Code)", "plan  (Plan)"])
    const other = Result.getOrThrow(Result.flip(chosen("--set", "1", "nothing")))
    assert.include(other.offered, "fast  (Fast)")
    assert.isTrue(Result.isFailure(chosen("--set", "yes", "fast")))
    assert.isTrue(Result.isFailure(chosen("--set", "{}", "strange")))
    assert.isTrue(Result.isFailure(choose([], { flag: "--mode", value: "plan" })))
  })

  it("keeps equals signs in values, and puts the model first", () => {
    assert.deepStrictEqual(parseSet("a=b=c"), { flag: "--set", settingId: "a", value: "b=c" })
    assert.isUndefined(parseSet("=b"))
    assert.isUndefined(parseSet("a"))
    const wishes = inOrder([
      { flag: "--set", settingId: "z", value: "1" },
      { flag: "--mode", value: "m" },
      { flag: "--set", settingId: "a", value: "1" },
      { flag: "--model", value: "x" }
    ])
    assert.deepStrictEqual(
      wishes.map(({ flag, settingId }) => settingId ?? flag),
      ["--model", "--mode", "z", "a"]
    )
  })
})

describe("ApprovalPolicy", () => {
  const tool: ToolCall = {
    toolCallId: "t",
    title: "T",
    kind: "edit",
    status: "pending",
    subject: { type: "none" },
    diffs: [],
    content: [],
    locations: [],
    startedAt: 0
  }
  const unjudged = (...kinds: ReadonlyArray<string>) => ({
    type: "approval" as const,
    requestId: RequestId.make("r"),
    tool,
    options: kinds.map((kind) => ({ optionId: `id ${kind}`, name: kind, kind })),
    at: 0
  })
  const approval = (...kinds: ReadonlyArray<string>): AgentRequest => ({
    ...unjudged(...kinds),
    judgement: { effect: "ask", why: "No rule matches.", inspectable: true, commands: [], paths: [] }
  })
  const answer = (policy: "allow" | "reject", request: AgentRequest) => {
    const decision = decide(policy, request)
    return decision.type === "respond" && decision.response.type === "option"
      ? decision.response.optionId
      : decision.type
  }

  it("[90] never grants or refuses for good", () => {
    const kinds = ["allow_always", "allow_once", "reject_always", "reject_once", "something_new"]
    assert.strictEqual(answer("allow", approval(...kinds)), "id allow_once")
    assert.strictEqual(answer("reject", approval(...kinds)), "id reject_once")
    assert.strictEqual(answer("allow", approval("allow_always", "reject_once")), "id reject_once")
    assert.strictEqual(answer("allow", approval("allow_always", "reject_always")), "cancel")
    assert.strictEqual(answer("reject", approval()), "cancel")
    // Nobody knows whether a rule denies it.
    assert.strictEqual(answer("allow", unjudged(...kinds)), "id reject_once")
  })
})

describe("the log", () => {
  const told = (level: "Warn" | "Debug") =>
    Effect.gen(function* () {
      const spy = vi.spyOn(process.stderr, "write").mockReturnValue(true)
      yield* Effect.logWarning("It broke", new Error("disk\nfull"), { threadId: "t" }).pipe(
        Effect.andThen(Effect.logWarning(Cause.fail(new Error("inner")))),
        Effect.annotateLogs({ module: "M" }),
        Effect.provideService(References.MinimumLogLevel, level),
        Effect.provide(Log.layer)
      )
      const lines = spy.mock.calls.map(([line]) => String(line).trimEnd())
      spy.mockRestore()
      return lines
    })

  it.effect("is in words, one line each, and with stacks only on request", () =>
    Effect.gen(function* () {
      const [first, second, ...rest] = yield* told("Warn")
      assert.strictEqual(first, "00:00:00.000 warn  M: It broke: disk full threadId=t")
      assert.strictEqual(second, "00:00:00.000 warn  M: inner")
      assert.deepStrictEqual(rest, [])
      assert.match((yield* told("Debug")).join("\n"), /Error: inner\n\s+at /)
    })
  )
})

describe("the state directory", () => {
  it("is the one that was named, nearest first", () => {
    assert.strictEqual(stateDirectory("/given", { SIGNALBOX_STATE_DIR: "/env" }), "/given")
    assert.strictEqual(stateDirectory(undefined, { SIGNALBOX_STATE_DIR: "/env", XDG_STATE_HOME: "/xdg" }), "/env")
    assert.strictEqual(stateDirectory(undefined, { XDG_STATE_HOME: "/xdg" }), "/xdg/signalbox")
    assert.strictEqual(
      stateDirectory(undefined, { SIGNALBOX_STATE_DIR: "" }),
      join(homedir(), ".local/state/signalbox")
    )
  })
})

describe("Directories", () => {
  it.effect("lists folders only, hidden ones last, and knows repositories and links", () =>
    Effect.gen(function* () {
      const root = temporaryFolder("folders")
      for (const name of ["b10", "b9", ".hidden", "A", "repo/.git", "worktree"]) {
        mkdirSync(join(root, name), { recursive: true })
      }
      writeFileSync(join(root, "worktree", ".git"), "gitdir: elsewhere")
      writeFileSync(join(root, "file.txt"), "")
      symlinkSync(join(root, "repo"), join(root, "link"))
      symlinkSync("/does/not/exist", join(root, "dangling"))
      const listed = yield* Directories.list(`${root}/`)
      assert.deepStrictEqual(
        listed.folders.map(({ name }) => name),
        ["A", "b9", "b10", "link", "repo", "worktree", ".hidden"]
      )
      assert.deepStrictEqual(
        listed.folders.filter(({ git }) => git).map(({ name }) => name),
        ["link", "repo", "worktree"]
      )
      assert.strictEqual(listed.path, root)
      assert.strictEqual(listed.parent, tmpdir())
      assert.isFalse(listed.git)
      assert.isTrue((yield* Directories.list(join(root, "repo"))).git)
    })
  )

  it.effect("goes home by ~, and up to the root", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Directories.list("~")).path, homedir())
      assert.strictEqual((yield* Directories.list("")).path, homedir())
      assert.isNull((yield* Directories.list("/")).parent)
    })
  )

  it.effect("says why a folder cannot be read", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder("folders"), "file")
      writeFileSync(file, "")
      const reason = (path: string) => Effect.map(Effect.flip(Directories.list(path)), (error) => error.reason)
      assert.include(yield* reason("/no/such/folder"), "does not exist")
      assert.include(yield* reason(file), "not a folder")
      assert.include(yield* reason("relative/path"), "full path")
    })
  )
})
