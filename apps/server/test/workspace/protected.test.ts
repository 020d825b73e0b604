/** What agents are not given inside their folders: by its name, by what it is, and by how many names it has. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { rename, rm, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as StateLock from "../../src/storage/StateLock.ts"
import * as OpenFolder from "../../src/workspace/OpenFolder.ts"
import type { Grant } from "../../src/workspace/ProtectedPaths.ts"
import * as TextFiles from "../../src/workspace/TextFiles.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"

const tree = Effect.map(temporaryFolder, (folder) => {
  const top = realpathSync(folder)
  const root = join(top, "project")
  mkdirSync(root)
  return { top, root, grant: { roots: [root], own: [] } satisfies Grant }
})

const plant = (path: string, text = "precious") => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const reasonOf = (effect: Effect.Effect<unknown, { readonly reason: string }>) =>
  Effect.match(effect, { onFailure: ({ reason }) => reason, onSuccess: () => "done" })

const everywhere = [
  ".git/config",
  ".git",
  "sub/.git/hooks/pre-commit",
  ".GIT/config",
  ".Git./config",
  ".g\u200cit/config",
  "git~1/config",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zlogin",
  ".kshrc",
  ".tcshrc",
  ".config/fish/config.fish",
  ".envrc",
  ".BASHRC",
  "deep/er/.zprofile",
  ".ssh/authorized_keys",
  ".gnupg/secring.gpg",
  ".aws/credentials",
  ".netrc",
  ".npmrc",
  ".docker/config.json",
  ".cursor/mcp.json",
  ".cursor/cli.json",
  ".claude/settings.json",
  ".codex/config.toml",
  ".gemini/settings.json",
  ".mcp.json"
]

const writesOnly = [".gitconfig", ".vimrc", ".config/systemd/user/a.service", ".vscode/tasks.json", ".idea/a.xml"]

const free = [
  ".gitignore",
  ".github/workflows/ci.yml",
  "bashrc",
  "git/config",
  ".sshx",
  "config/fish",
  ".docker/Dockerfile"
]

describe("protected paths", () => {
  it.live("are neither read nor written, whatever the case of their letters", () =>
    Effect.gen(function* () {
      for (const path of everywhere) {
        const { grant, root } = yield* tree
        const refusal = yield* Effect.flip(TextFiles.write(grant, join(root, path), "x"))
        assert.strictEqual(refusal.reason, "protected", path)
        assert.match(refusal.message, /is not given to agents: .+\.$/)
        assert.deepStrictEqual(readdirSync(root), [], path)
        plant(join(root, path))
        assert.strictEqual(yield* reasonOf(TextFiles.read(grant, join(root, path))), "protected", path)
        assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, path), "x")), "protected", path)
        assert.strictEqual(readFileSync(join(root, path), "utf8"), "precious")
      }
    })
  )

  it.live("that tell a program what to run are read and not written", () =>
    Effect.gen(function* () {
      const { grant, root } = yield* tree
      for (const path of writesOnly) {
        plant(join(root, path))
        assert.strictEqual(yield* TextFiles.read(grant, join(root, path)), "precious", path)
        assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, path), "x")), "protected", path)
      }
    })
  )

  it.live("are not mistaken for others with names like them", () =>
    Effect.gen(function* () {
      const { grant, root } = yield* tree
      for (const path of free)
        assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, path), "x")), "done", path)
    })
  )

  it.live("are refused by where a link leads, and say where", () =>
    Effect.gen(function* () {
      const { grant, root } = yield* tree
      plant(join(root, ".git", "config"))
      symlinkSync(".git", join(root, "docs"))
      symlinkSync(".bashrc", join(root, "notes.txt"))
      for (const path of ["docs/config", "docs/hooks/post-checkout", "notes.txt"]) {
        const refusal = yield* Effect.flip(TextFiles.write(grant, join(root, path), "x"))
        assert.strictEqual(refusal.reason, "protected", path)
        assert.include(refusal.message, "It leads to ")
      }
      assert.deepStrictEqual(readdirSync(join(root, ".git")), ["config"])
      assert.isFalse(existsSync(join(root, ".bashrc")))
    })
  )

  it.live("in the way of the session's own folder: worktrees of agents are given, keys and Git's own are not", () =>
    Effect.gen(function* () {
      const { top } = yield* tree
      const worktree = join(top, ".cursor", "worktrees", "one")
      const keys = join(top, ".ssh")
      const git = join(top, ".git", "modules")
      for (const root of [worktree, keys, git]) plant(join(root, "file"))
      const read = (root: string, path = "file") =>
        reasonOf(TextFiles.read({ roots: [root], own: [] }, join(root, path)))
      assert.strictEqual(yield* read(worktree), "done")
      plant(join(worktree, ".cursor", "mcp.json"))
      assert.strictEqual(yield* read(worktree, ".cursor/mcp.json"), "protected")
      assert.strictEqual(yield* read(keys), "protected")
      assert.strictEqual(yield* read(git), "protected")
    })
  )
})

describe("our own state", () => {
  it.live("is refused wherever it lies, and by whatever name it is reached", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      const state = join(root, "signalbox-state")
      plant(join(state, "settings.json"))
      symlinkSync("signalbox-state", join(root, "link"))
      const grant: Grant = { roots: [root], own: [join(root, "link")] }
      for (const path of ["signalbox-state/settings.json", "link/settings.json"]) {
        assert.strictEqual(yield* reasonOf(TextFiles.read(grant, join(root, path))), "protected", path)
        assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, path), "x")), "protected", path)
      }
      assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, "link", "new", "agent"), "x")), "protected")
      assert.deepStrictEqual(readdirSync(state), ["settings.json"])
      // A folder that is inside of ours is ours, too.
      const inside: Grant = { roots: [state], own: [state] }
      assert.strictEqual(yield* reasonOf(TextFiles.read(inside, join(state, "settings.json"))), "protected")
    })
  )

  it.live("is refused under a second name before it is opened, so that the lock on it stays", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      const state = join(top, "state")
      yield* Layer.build(StateLock.layer(state))
      linkSync(join(state, "server.lock"), join(root, "harmless"))
      for (const hardLinks of ["read", undefined] as const) {
        const grant: Grant = { roots: [root], own: [state], hardLinks }
        const reason = yield* reasonOf(TextFiles.read(grant, join(root, "harmless")))
        assert.strictEqual(reason, hardLinks === "read" ? "protected" : "hard-link")
        // Another process can't have it: closing an opening of it would have let go of the lock.
        const script = `new (require("node:sqlite").DatabaseSync)(process.argv[1], { timeout: 0 }).exec("BEGIN EXCLUSIVE")`
        const { stderr } = spawnSync(process.execPath, ["--eval", script, join(state, "server.lock")], {
          encoding: "utf8"
        })
        assert.include(stderr, "database is locked")
      }
    })
  )
})

describe("a file that has two names", () => {
  it.live("is refused with that reason; where the grant allows it, a write leaves the other name alone", () =>
    Effect.gen(function* () {
      const { grant, root, top } = yield* tree
      plant(join(top, "outside"))
      linkSync(join(top, "outside"), join(root, "a"))
      const attempts = [
        Effect.asVoid(TextFiles.read(grant, join(root, "a"))),
        Effect.asVoid(TextFiles.write(grant, join(root, "a"), "x"))
      ]
      for (const attempt of attempts) {
        const refusal = yield* Effect.flip(attempt)
        assert.strictEqual(refusal.reason, "hard-link")
        assert.include(refusal.message, "2 names")
        assert.include(refusal.message, `"hardLinks": "read"`)
      }
      const allowing: Grant = { ...grant, hardLinks: "read" }
      assert.strictEqual(yield* TextFiles.read(allowing, join(root, "a")), "precious")
      yield* TextFiles.write(allowing, join(root, "a"), "mine")
      assert.strictEqual(readFileSync(join(top, "outside"), "utf8"), "precious")
      // Now it has one name.
      assert.strictEqual(yield* TextFiles.read(grant, join(root, "a")), "mine")
    })
  )

  it.live("is not what a folder is taken for", () =>
    Effect.gen(function* () {
      const { grant, root } = yield* tree
      mkdirSync(join(root, "folder", "within"), { recursive: true })
      assert.strictEqual(yield* reasonOf(TextFiles.read(grant, join(root, "folder"))), "kind")
    })
  )
})

describe("a write that is refused", () => {
  it.live("leaves no folders behind", () =>
    Effect.gen(function* () {
      const { grant, root } = yield* tree
      const tooLong = join(root, "new", "folders", "x".repeat(300))
      assert.strictEqual(yield* reasonOf(TextFiles.write(grant, tooLong, "x")), "system")
      assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(root, "a", ".ssh", "b", "key"), "x")), "protected")
      assert.deepStrictEqual(readdirSync(root), [])
    })
  )

  it.live("makes nothing outside while a folder on the way is swapped for a link", () =>
    Effect.gen(function* () {
      const { grant, root, top } = yield* tree
      const outside = join(top, "outside", "inner")
      const folder = join(root, "swapped")
      mkdirSync(outside, { recursive: true })
      mkdirSync(join(folder, "inner"), { recursive: true })
      const untouched = statSync(outside).mtimeMs
      const done = new AbortController()
      // The writes race with it, and may have put a folder there meanwhile.
      const putBack = async (): Promise<void> => {
        // A write may put something in while it is removed: then it is tried again.
        await rm(folder, { recursive: true, force: true }).catch(() => {})
        return rename(join(root, "away"), folder).catch(putBack)
      }
      const swapping = (async () => {
        while (!done.signal.aborted) {
          await rename(folder, join(root, "away"))
          await symlink(dirname(outside), folder).catch(() => {})
          await putBack()
        }
      })()
      for (let round = 0; round < 1000; round++)
        yield* reasonOf(TextFiles.write(grant, join(folder, "inner", `new-${round}`, "file"), "x"))
      done.abort()
      yield* Effect.promise(() => swapping)
      assert.strictEqual(statSync(outside).mtimeMs, untouched)
      assert.strictEqual(yield* reasonOf(TextFiles.write(grant, join(folder, "inner", "after"), "x")), "done")
    })
  )
})

describe("an open folder", () => {
  it.live.skipIf(process.platform !== "linux")("is where things are made, whatever its path leads to by then", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      mkdirSync(join(root, "a"))
      mkdirSync(join(top, "outside"))
      const folder = yield* Effect.promise(() => OpenFolder.open(join(root, "a")))
      yield* Effect.promise(() => rename(join(root, "a"), join(root, "b")))
      symlinkSync(join(top, "outside"), join(root, "a"))
      assert.isTrue(yield* Effect.promise(() => OpenFolder.make(folder, "new")))
      assert.isFalse(yield* Effect.promise(() => OpenFolder.make(folder, "new")))
      assert.strictEqual(yield* Effect.promise(() => OpenFolder.placeOf(folder.handle, folder.path)), join(root, "b"))
      yield* Effect.promise(() => folder.handle.close())
      assert.deepStrictEqual(readdirSync(join(root, "b")), ["new"])
      assert.deepStrictEqual(readdirSync(join(top, "outside")), [])
    })
  )
})
