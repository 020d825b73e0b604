/** What an agent's settings answer when it asks for permission: over real processes, real files and real links. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { link, mkdir, realpath, symlink, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { OwnFolders } from "../../src/workspace/ProtectedPaths.ts"
import { type Harness, temporaryFolder, thread } from "../support/AgentHarness.ts"
import { call, change, play, scripted, seen } from "../support/ScriptedAgent.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

/** A session over a folder with files, and with links that lead out of it. */
const started = Effect.fnUntraced(function* (permissions: PermissionProfile, more: object = {}) {
  const agent = yield* scripted()
  const elsewhere = yield* temporaryFolder
  yield* Effect.promise(async () => {
    await writeFile(join(elsewhere, "secret"), "secret")
    await mkdir(join(agent.folder, "src"))
    await writeFile(join(agent.folder, "src/a.ts"), "a")
    await mkdir(join(agent.folder, "~"))
    await writeFile(join(agent.folder, "~/secret"), "not the home folder")
    await symlink(join(elsewhere, "secret"), join(agent.folder, "link"))
    await symlink(elsewhere, join(agent.folder, "linked"))
    await symlink("a.ts", join(agent.folder, "src/inside"))
    await symlink("round", join(agent.folder, "round"))
    await symlink(`/proc/self/root${agent.folder}`, join(agent.folder, "own"))
    await mkdir(join(agent.folder, "src/{a.ts,.."))
    await writeFile(join(agent.folder, "src/secret}"), "the name of a file")
    await writeFile(join(agent.folder, "src/a.ts\nb"), "the name of a file")
  })
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, permissions, ...more } } })
  return { agent, elsewhere }
})

interface Asked {
  readonly kind: string
  readonly rawInput?: unknown
  readonly [member: string]: unknown
}

/** What the settings answer; "asks" where a person has to. */
const answerTo = Effect.fnUntraced(function* (agent: Harness, toolCall: Asked, among = options, _meta?: object) {
  const permission = { toolCall: { toolCallId: "t", title: "T", ...toolCall }, options: among, _meta }
  const turn = yield* Effect.forkChild(play(agent, "t1", { permission }))
  const { request } = yield* agent.next("approval.requested")
  // The settings answer first, so that a person comes too late.
  const person = agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "never"))
  const late = yield* Effect.result(person)
  yield* Fiber.join(turn)
  const [end] = agent.of("approval.resolved")
  if (end?.outcome.type !== "answered" || end.outcome.response.type !== "option") return "not answered"
  if (end.outcome.by !== "settings") return "asks"
  assert.strictEqual(Result.isFailure(late) ? late.failure.problem.code : "taken", "request-closed")
  return end.outcome.response.optionId
})

type Way = readonly [
  name: string,
  call: (place: { readonly inside: string; readonly elsewhere: string }) => Asked,
  allowReads: "yes" | "asks",
  readOnly?: "no"
]

const read = (rawInput: unknown, more: object = {}): Asked => ({ kind: "read", rawInput, ...more })
const search = (rawInput: unknown, more: object = {}): Asked => ({ kind: "search", rawInput, ...more })

const ways: ReadonlyArray<Way> = [
  ["reading a file", ({ inside }) => read({ path: `${inside}/src/a.ts` }), "yes"],
  ["reading by a path from the folder on", () => read({ file_path: "src/a.ts", offset: 1, limit: 20 }), "yes"],
  ["reading through a link that stays inside", () => read({ path: "src/inside" }), "yes"],
  ["searching a folder", ({ inside }) => search({ pattern: "secret", path: inside, "-n": true }), "yes"],
  ["searching for files of a name", ({ inside }) => search({ pattern: "**/*.ts", path: inside }), "yes"],
  ["searching in one file", () => search({ pattern: "secret", path: "src/a.ts" }), "yes"],
  // The input does not show where these lead, or they lead out.
  ["a link in the repository", ({ inside }) => read({ path: `${inside}/link` }), "asks"],
  ["a file below a linked folder", ({ inside }) => read({ path: `${inside}/linked/secret` }), "asks"],
  ["a way through a linked folder and up", ({ inside }) => read({ path: `${inside}/linked/../src/a.ts` }), "asks"],
  ["a link that leads round in a circle", () => read({ path: "round" }), "asks"],
  ["a path elsewhere", ({ elsewhere }) => read({ path: `${elsewhere}/secret` }), "asks"],
  ["a path that goes up", () => read({ path: "../secret" }), "asks"],
  [
    "locations elsewhere",
    ({ elsewhere }) => read({ path: "src/a.ts" }, { locations: [{ path: `${elsewhere}/secret` }] }),
    "asks"
  ],
  ["a second path", ({ elsewhere }) => read({ path: "src/a.ts", target_file: `${elsewhere}/secret` }), "asks"],
  ["one of many paths", ({ elsewhere }) => read({ paths: ["src/a.ts", `${elsewhere}/secret`] }), "asks"],
  [
    "one of many files",
    ({ elsewhere }) => read({ files: [{ path: "src/a.ts" }, { path: `${elsewhere}/secret` }] }),
    "asks"
  ],
  [
    "a path deeper in the input",
    ({ elsewhere }) => read({ path: "src/a.ts", input: { args: { path: `${elsewhere}/secret` } } }),
    "asks"
  ],
  ["a search folder elsewhere", ({ elsewhere }) => search({ pattern: "x", path: elsewhere }), "asks"],
  [
    "a search folder as `directory`",
    ({ elsewhere }) => search({ pattern: "x", path: "src", directory: elsewhere }),
    "asks"
  ],
  [
    "a search folder as `include`",
    ({ elsewhere }) => search({ pattern: "x", path: "src", include: `${elsewhere}/*` }),
    "asks"
  ],
  [
    "a search folder among `roots`",
    ({ elsewhere, inside }) => search({ pattern: "x", roots: [inside, elsewhere] }),
    "asks"
  ],
  ["a search folder as `cwd`", ({ elsewhere }) => search({ pattern: "x", path: "src", cwd: elsewhere }), "asks"],
  ["a pattern below a linked folder", ({ inside }) => search({ pattern: "linked/*", path: inside }), "asks"],
  ["a pattern that is the name of a link", ({ inside }) => search({ pattern: "linked", path: inside }), "asks"],
  ["a pattern that goes up", ({ inside }) => search({ pattern: "../*", path: inside }), "asks"],
  ["a search that names no folder", () => search({ pattern: "x" }), "asks"],
  ["a file named only in the title", () => ({ kind: "read", title: "Read `src/a.ts`", rawInput: {} }), "asks"],
  [
    "a file named only among the locations",
    ({ inside }) => ({ kind: "read", locations: [{ path: `${inside}/src/a.ts` }] }),
    "asks"
  ],
  ["no path at all", () => read({ offset: 1 }), "asks"],
  ["a path without a letter in it", () => read({ path: "" }), "asks"],
  ["a file that is not there", () => read({ path: "src/none.ts" }), "asks"],
  ["a path in the home folder", () => read({ path: "~/secret" }), "asks"],
  ["a path with a variable", () => read({ path: "$HOME/secret" }), "asks"],
  ["an address of a file", ({ inside }) => read({ path: `file://${inside}/src/a.ts` }), "asks"],
  ["a path that is no text", () => read({ path: { of: 1 } }), "asks"],
  ["a member that nobody knows", () => read({ path: "src/a.ts", spool: "/etc/passwd" }), "asks"],
  [
    "a path that is the name of a member",
    ({ elsewhere }) => read({ path: "src/a.ts", files: { [elsewhere]: true } }),
    "asks"
  ],
  ["a path that is the name of an empty member", () => read({ path: "src/a.ts", files: { link: {} } }), "asks"],
  ["a search that follows links", ({ inside }) => search({ pattern: "x", path: inside, follow: true }), "asks"],
  ["a number that nobody knows", () => read({ path: "src/a.ts", fd: 3 }), "asks"],
  [
    "a way through what is each process's own",
    ({ inside }) => read({ path: `/proc/self/root${inside}/src/a.ts` }),
    "asks"
  ],
  ["a link to what is each process's own", () => read({ path: "own/src/a.ts" }), "asks"],
  ["a path that a shell would take for two", () => read({ path: "src/{a.ts,../../secret}" }), "asks"],
  ["two paths in two lines", () => read({ path: "src/a.ts\nb" }), "asks"],
  [
    "reading some lines of a file",
    () => read({ path: "src/a.ts", view_range: [1, 2], should_read_entire_file: false }),
    "yes"
  ],
  [
    "searching with options",
    ({ inside }) =>
      search({
        pattern: "x",
        path: inside,
        "-A": 3,
        head_limit: 5,
        file_filtering_options: { respect_git_ignore: true }
      }),
    "yes"
  ],
  ["an input that is a text", () => read("src/a.ts"), "asks"],
  ["a relative path beside a folder of its own", () => read({ path: "src/a.ts", cwd: "src" }), "asks"],
  ["a command that is called reading", () => read({ path: "src/a.ts", command: "rm -r ." }), "asks"],
  [
    "an edit that is called reading",
    ({ inside }) =>
      read(
        { path: "src/a.ts" },
        { content: [{ type: "diff", path: `${inside}/src/a.ts`, oldText: "a", newText: "b" }] }
      ),
    "asks"
  ],
  ["editing", () => ({ kind: "edit", rawInput: { path: "src/a.ts" } }), "asks", "no"],
  ["running", () => ({ kind: "execute", rawInput: { command: "ls" } }), "asks", "no"],
  ["deleting", () => ({ kind: "delete", rawInput: { path: "src/a.ts" } }), "asks", "no"],
  ["moving", () => ({ kind: "move", rawInput: {} }), "asks", "no"],
  ["fetching", () => ({ kind: "fetch", rawInput: { url: "https://x" } }), "asks"],
  ["what has no kind", () => ({ kind: "other", rawInput: { path: "src/a.ts" } }), "asks"]
]

/** A folder with protected files in it. `keys` is around keys, `home` around the home folder. */
const guarded: ReadonlyArray<Way> = [
  ["a key", () => read({ path: "keys/.ssh/id_rsa" }), "asks"],
  ["a key by a link", () => read({ path: "notes" }), "asks"],
  ["a key by another case", () => read({ path: "keys/.SSH/id_rsa" }), "asks"],
  ["passwords", () => read({ path: ".npmrc" }), "asks"],
  ["configuration of Git", () => read({ path: ".git/config" }), "asks"],
  ["what a shell runs", () => read({ path: ".bashrc" }), "asks"],
  ["what is protected, among the locations", () => read({ path: "a" }, { locations: [{ path: ".npmrc" }] }), "asks"],
  ["a file with another name", () => read({ path: "double" }), "asks"],
  ["our own state", () => read({ path: "state/x" }), "asks"],
  ["a search of a folder of keys", () => search({ pattern: "x", path: "keys/.ssh" }), "asks"],
  ["a search of a folder around keys", () => search({ pattern: "x", path: "keys" }), "asks"],
  ["a search of a folder around our own state", () => search({ pattern: "x", path: "." }), "asks"],
  ["a search for what is protected", () => search({ pattern: ".npmrc", path: "plain" }), "asks"],
  ["a search of another folder", () => search({ pattern: "x", path: "plain" }), "yes"],
  ["a file beside what is protected", () => read({ path: "a" }), "yes"]
]

const plantGuarded = async (folder: string) => {
  for (const path of [".git", "keys/.ssh", "keys/.SSH", "plain", "state"])
    await mkdir(join(folder, path), { recursive: true })
  for (const path of [
    ".git/config",
    "keys/.ssh/id_rsa",
    "keys/.SSH/id_rsa",
    ".npmrc",
    ".bashrc",
    "plain/.npmrc",
    "state/x",
    "a",
    "b"
  ])
    await writeFile(join(folder, path), "precious")
  await symlink("keys/.ssh/id_rsa", join(folder, "notes"))
  await link(join(folder, "b"), join(folder, "double"))
}

const overGuarded = Effect.fnUntraced(function* (more: object = {}) {
  const state = join(yield* temporaryFolder, "state")
  const agent = yield* scripted().pipe(Effect.provideService(OwnFolders, [state]))
  yield* Effect.promise(async () => {
    await plantGuarded(agent.folder)
    await symlink(join(agent.folder, "state"), state)
  })
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, permissions: "allow-reads", ...more } } })
  return agent
})

describe("[90] settings that allow reading", () => {
  it.live.each(guarded)("of what is protected: %s", ([, asked, allowReads]) =>
    Effect.gen(function* () {
      const agent = yield* overGuarded()
      assert.strictEqual(yield* answerTo(agent, asked({ inside: agent.folder, elsewhere: "/" })), allowReads)
    })
  )

  it.live("allow files with other names where the agent's entry says so", () =>
    Effect.gen(function* () {
      const agent = yield* overGuarded({ hardLinks: "read" })
      assert.strictEqual(yield* answerTo(agent, read({ path: "double" })), "yes")
    })
  )

  it.live("ask about a search of the home folder", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const home = yield* Effect.promise(() => realpath(homedir()))
      const { acp } = agent.input().providerOptions
      yield* agent.start({ cwd: home, providerOptions: { acp: { ...acp, permissions: "allow-reads" } } })
      assert.strictEqual(yield* answerTo(agent, search({ pattern: "x", path: home })), "asks")
    })
  )

  it.live.each(ways)("%s", ([, asked, allowReads]) =>
    Effect.gen(function* () {
      const { agent, elsewhere } = yield* started("allow-reads")
      assert.strictEqual(yield* answerTo(agent, asked({ inside: agent.folder, elsewhere })), allowReads)
    })
  )

  it.live.each(ways.filter(([, , , readOnly]) => readOnly !== undefined))(
    "refuse %s, where nothing else is allowed",
    ([, asked, , readOnly]) =>
      Effect.gen(function* () {
        const { agent, elsewhere } = yield* started("read-only")
        assert.strictEqual(yield* answerTo(agent, asked({ inside: agent.folder, elsewhere })), readOnly)
      })
  )

  it.live("ask about relative paths of an agent that works in another folder", () =>
    Effect.gen(function* () {
      const elsewhere = yield* temporaryFolder
      const { agent } = yield* started("allow-reads", { cwd: elsewhere })
      assert.strictEqual(yield* answerTo(agent, read({ path: "src/a.ts" })), "asks")
    })
  )

  it.live("answer nothing unless they were chosen, and never for good", () =>
    Effect.gen(function* () {
      const asking = yield* started("ask")
      assert.strictEqual(yield* answerTo(asking.agent, read({ path: "src/a.ts" })), "asks")
      const forGood = options.filter(({ kind }) => kind.endsWith("always"))
      const reading = yield* started("allow-reads")
      assert.strictEqual(yield* answerTo(reading.agent, read({ path: "src/a.ts" }), forGood), "asks")
      const refusing = yield* started("read-only")
      assert.strictEqual(
        yield* answerTo(refusing.agent, { kind: "edit", rawInput: { path: "src/a.ts" } }, forGood),
        "asks"
      )
    })
  )
})

const asks = (toolCallId: string, kind: string, path: string) => ({
  permission: { toolCall: { toolCallId, title: toolCallId, kind, rawInput: { file_path: path } }, options }
})

describe("a request that only a person may allow", () => {
  it.live.each(["bypass", "edits", "allow-reads", "read-only"] as const)("is asked with the profile %s", (profile) =>
    Effect.gen(function* () {
      const { agent } = yield* started(profile)
      const asked = read({ path: join(agent.folder, "src/a.ts") })
      assert.strictEqual(yield* answerTo(agent, asked, options, ComponentMeta.forPeople), "asks")
      const [opened] = agent.of("approval.requested")
      assert.strictEqual(
        opened?.request.type === "approval" ? opened.request.judgement?.why : undefined,
        "Only a person may allow this, whatever rules and profiles say."
      )
    })
  )
})

describe("an agent with a permission profile", () => {
  it.live("gets its answers at once, they are on record as those of the settings, and the rest is asked", () =>
    Effect.gen(function* () {
      const { agent } = yield* started("read-only")
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          asks("look", "read", `${agent.folder}/src/a.ts`),
          call("write", { kind: "edit" }),
          asks("write", "edit", `${agent.folder}/src/a.ts`),
          change("write", { status: "completed" }),
          asks("fetch", "fetch", "x")
        )
      )
      const { request } = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "fetch")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.deepEqual(
        agent.of("approval.resolved").map(({ outcome }) => (outcome.type === "answered" ? outcome.by : "?")),
        ["settings", "settings", undefined]
      )
      assert.deepEqual(yield* seen(agent), [
        "approval answered yes",
        "says: permission yes",
        "tool write: rejected",
        "approval answered no",
        "says: permission no",
        "approval answered yes",
        "says: permission yes"
      ])
    })
  )
})
