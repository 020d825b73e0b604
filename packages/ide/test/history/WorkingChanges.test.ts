import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as History from "../../src/history/History.ts"
import * as WorkingChanges from "../../src/history/WorkingChanges.ts"
import * as Changes from "../../src/operations/Changes.ts"
import * as Repositories from "./Repositories.ts"

describe("changes that are not committed", () => {
  it.live("are shown in their parts", () =>
    Effect.gen(function* () {
      const { folder, git, write } = yield* Repositories.withHistory
      assert.strictEqual((yield* WorkingChanges.diff(folder, "staged")).text, "No changes.")
      write("a.txt", "staged\n")
      git("add", "a.txt")
      write("a.txt", "unstaged\r\n")
      const staged = yield* WorkingChanges.diff(folder, "staged")
      assert.include(staged.text, "-two\n+staged\n")
      const unstaged = yield* WorkingChanges.diff(folder, "unstaged")
      assert.include(unstaged.text, "-staged\n+unstaged\r\n")
      assert.isFalse(unstaged.isCut)
    })
  )

  it.live("are those below the session's folder", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Repositories.withHistory
      write("a.txt", "outside\n")
      write("sub/b.txt", "inside\n")
      const { text } = yield* WorkingChanges.diff(join(folder, "sub"), "unstaged")
      assert.include(text, "+inside")
      assert.notInclude(text, "+outside")
    })
  )

  it.live("run no program that the repository names", () =>
    Effect.gen(function* () {
      const { commit, folder, git, write } = yield* Repositories.withHistory
      const { program: trap, sprung } = Repositories.trapIn({ folder })
      write(".gitattributes", "a.txt filter=trap diff=trap\nsub/b.txt filter=a=b.c\nc.txt filter=long\n")
      write("c.txt", "c\n")
      commit("Attributes")
      for (const [key, value] of Object.entries({
        "filter.trap.clean": `${trap} clean`,
        "filter.a=b.c.clean": `${trap} odd`,
        "filter.long.process": `${trap} process`,
        "diff.trap.command": `${trap} command`,
        "diff.trap.textconv": `${trap} textconv`,
        "diff.external": `${trap} external`,
        "core.fsmonitor": `${trap} fsmonitor`
      }))
        git("config", key, value)
      for (const path of ["a.txt", "sub/b.txt", "c.txt"]) write(path, "changed\n")
      // The trap works: git alone falls into it, and fails, since such filters do.
      for (const path of ["a.txt", "sub/b.txt", "c.txt"]) {
        try {
          git("diff", "--", path)
        } catch {
          continue
        }
      }
      assert.includeMembers([...sprung()], ["clean", "odd", "process"])
      git("config", "filter.trap.required", "true")
      const { text } = yield* WorkingChanges.diff(folder, "unstaged")
      assert.strictEqual(text.split("+changed").length, 4)
      yield* WorkingChanges.diff(folder, "staged")
      assert.deepStrictEqual(sprung(), [])
    })
  )

  it.live("don't reach outside: by a working tree that settings name, or by a link", () =>
    Effect.gen(function* () {
      const { folder, git, write } = yield* Repositories.withHistory
      const elsewhere = temporaryFolder("elsewhere")
      writeFileSync(join(elsewhere, "a.txt"), "secret\n")
      writeFileSync(join(elsewhere, "b.txt"), "secret\n")
      rmSync(join(folder, "sub"), { recursive: true })
      symlinkSync(elsewhere, join(folder, "sub"))
      assert.notInclude((yield* WorkingChanges.diff(folder, "unstaged")).text, "secret")
      git("config", "core.worktree", elsewhere)
      const refused = yield* Effect.flip(WorkingChanges.diff(folder, "unstaged"))
      assert.notInclude(refused.message, "+secret")
      git("config", "core.worktree", dirname(folder))
      write("a.txt", "changed\n")
      const { text } = yield* WorkingChanges.diff(folder, "unstaged")
      assert.notInclude(text, "secret")
    })
  )
})

describe("gitdiff", () => {
  it.live("holds to the session's folder, in commits too", () =>
    Effect.gen(function* () {
      const { commit, folder, write } = yield* Repositories.withHistory
      write("a.txt", "outside\n")
      write("sub/b.txt", "inside\n")
      commit("Both")
      const diff = yield* Changes.of(join(folder, "sub"), "HEAD~1", { staged: true, unstaged: true })
      assert.include(diff["committed"]?.text, "+inside")
      assert.notInclude(diff["committed"]?.text, "outside")
    })
  )

  it.live("reads no repository that the working tree only points to", () =>
    Effect.gen(function* () {
      const { folder: other, git } = yield* Repositories.withHistory
      const all = { staged: false, unstaged: false }
      const project = temporaryFolder("project")
      const refused = () =>
        Effect.map(Effect.flip(Changes.of(project, "HEAD~1", all)), ({ message }) =>
          assert.include(message, "is elsewhere")
        )
      writeFileSync(join(project, ".git"), `gitdir: ${other}/.git\n`)
      yield* refused()
      rmSync(join(project, ".git"))
      symlinkSync(join(other, ".git"), join(project, ".git"))
      yield* refused()
      rmSync(join(project, ".git"))
      // A folder of its own that borrows all commits of another one.
      mkdirSync(join(project, ".git"))
      writeFileSync(join(project, ".git/commondir"), join(other, ".git"))
      writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n")
      yield* refused()
      // A working tree that the repository knows is no trap.
      const tree = join(project, "tree")
      git("worktree", "add", "--quiet", "--detach", tree)
      assert.include((yield* Changes.of(tree, "HEAD~1", all))["committed"]?.text, "+b")
    })
  )

  it.live("reads a submodule, which git keeps in the repository around it", () =>
    Effect.gen(function* () {
      const { folder: other } = yield* Repositories.withHistory
      const { commit, folder, git } = yield* Repositories.withHistory
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "library")
      commit("Library")
      const library = join(folder, "library")
      writeFileSync(join(library, "a.txt"), "changed\n")
      const all = yield* Changes.of(library, "HEAD~1", { staged: false, unstaged: false })
      assert.include(all["committed"]?.text, "+b\n")
      assert.include(all["unstaged"]?.text, "+changed\n")
    })
  )

  it.live("says why git can't run in a file", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      const { message } = yield* Effect.flip(History.log(join(folder, "a.txt"), {}))
      assert.match(message, /^git can't run in .*a\.txt: /)
    })
  )
})
