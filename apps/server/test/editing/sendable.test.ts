/** Which files may be sent: real folders, links, and git itself. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Sendable from "../../src/editing/Sendable.ts"
import * as ProjectFiles from "@signalbox/ide/files/ProjectFiles"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = realpathSync(temporaryFolder("workspace"))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const git = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: folder })

const make = (roots: ReadonlyArray<string>, more: Partial<Sendable.Options> = {}): Sendable.Sendable =>
  Sendable.make({ roots, own: [], neverSend: Effect.succeed([]), ...more })

/** `may`, or why not. */
const said = (sendable: Sendable.Sendable, path: string) =>
  Effect.map(sendable.of(Sendable.uriOf(path)), (verdict) => (verdict.type === "may" ? "may" : verdict.why))

describe("Sendable", () => {
  it.live("sends files of the workspace, and none outside of it, also not by a link or by ..", () =>
    Effect.gen(function* () {
      const outside = folderOf({ "secret.txt": "s" })
      const root = folderOf({ "a.ts": "a", "sub/b.ts": "b" })
      symlinkSync(join(outside, "secret.txt"), join(root, "link.ts"))
      symlinkSync(outside, join(root, "folder"))
      const sendable = make([root])
      for (const name of ["a.ts", "sub/b.ts", "new.ts"])
        assert.strictEqual(yield* said(sendable, join(root, name)), "may")
      for (const name of ["link.ts", "folder/secret.txt", "../other"])
        assert.include(yield* said(sendable, `${root}/${name}`), "outside")
      for (const uri of ["untitled:one", "https://example.org/a.ts", "file://elsewhere/a.ts"])
        assert.deepStrictEqual(yield* sendable.of(uri), { type: "withheld", why: "It is no file of this machine." })
    })
  )

  it.live("sends nothing that git ignores, nested repositories and rules of a folder included", () =>
    Effect.gen(function* () {
      const root = folderOf({
        ".gitignore": "dist/\n*.log\n!kept.log\n",
        "dist/a.js": "",
        "a.log": "",
        "kept.log": "",
        "tracked.log": "",
        "sub/.gitignore": "x.ts\n",
        "sub/x.ts": "",
        "inner/y.log": "",
        "ü 1\n.log": "",
        "a.ts": ""
      })
      git(root, "init", "-q")
      git(root, "add", "-f", "tracked.log")
      git(join(root, "inner"), "init", "-q")
      const sendable = make([root])
      const names = ["dist/a.js", "a.log", "sub/x.ts", "dist/new.js", "ü 1\n.log"]
      const verdicts = yield* sendable.ofAll(names.map((name) => Sendable.uriOf(join(root, name))))
      for (const [uri, verdict] of verdicts)
        assert.deepStrictEqual(verdict, { type: "withheld", why: "Git ignores it." }, uri)
      // The outer repository has no say in the files of the inner one. A tracked file is no ignored one.
      for (const name of ["kept.log", "tracked.log", "inner/y.log", "a.ts"])
        assert.strictEqual(yield* said(sendable, join(root, name)), "may", name)
    })
  )

  it.live("sends nothing of a repository that another one around it ignores, and asks none around the workspace", () =>
    Effect.gen(function* () {
      const root = folderOf({
        ".gitignore": "private/\n",
        "private/notes/a.ts": "",
        "private/notes/deep/b.ts": "",
        "vendor/lib/c.ts": "",
        "app/d.ts": ""
      })
      const module = folderOf({ "e.ts": "" })
      for (const folder of [
        root,
        module,
        ...["private/notes", "private/notes/deep", "vendor/lib"].map((one) => join(root, one))
      ])
        git(folder, "init", "-q")
      git(module, "add", ".")
      git(module, "commit", "-qm", "one")
      git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module, "module")
      const sendable = make([root])
      for (const name of ["private/notes/a.ts", "private/notes/deep/b.ts"])
        assert.strictEqual(yield* said(sendable, join(root, name)), "Git ignores it.", name)
      for (const name of ["vendor/lib/c.ts", "module/e.ts", "app/d.ts"])
        assert.strictEqual(yield* said(sendable, join(root, name)), "may", name)
      // Whoever works in that repository has opened it as the workspace.
      const notes = join(root, "private/notes")
      assert.strictEqual(yield* said(make([notes]), join(notes, "a.ts")), "may")
    })
  )

  it.live("asks git without running what a partial clone names for fetching", () =>
    Effect.gen(function* () {
      const root = folderOf({ ".gitignore": "*.log\n", "a.ts": "" })
      const ran = join(realpathSync(temporaryFolder("ran")), "ran")
      git(root, "init", "-q")
      git(root, "add", ".gitignore")
      git(root, "commit", "-qm", "one")
      const blob = git(root, "rev-parse", "HEAD:.gitignore").toString().trim()
      for (const [key, value] of Object.entries({
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://localhost/nothing",
        "core.sshCommand": `touch ${ran}; false`
      }))
        git(root, "config", key, value)
      git(root, "update-index", "--skip-worktree", ".gitignore")
      rmSync(join(root, ".gitignore"))
      rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)))
      // The trap works: git alone falls into it.
      spawnSync("git", ["check-ignore", "a.ts"], { cwd: root, stdio: "ignore" })
      assert.isTrue(existsSync(ran))
      rmSync(ran)
      yield* said(make([root]), join(root, "a.ts"))
      yield* ProjectFiles.list(root)
      assert.isFalse(existsSync(ran))
    })
  )

  it.live("waits for no git that hangs, and sends nothing then", () =>
    Effect.gen(function* () {
      const root = folderOf({ "a.ts": "", ".git/HEAD": "" })
      const bin = folderOf({ git: `#!/bin/sh\ntrap "" TERM\nread -r line < "\${0%/*}/never"\n` })
      chmodSync(join(bin, "git"), 0o755)
      execFileSync("mkfifo", [join(bin, "never")])
      const path = process.env["PATH"]
      process.env["PATH"] = `${bin}:${path}`
      yield* Effect.addFinalizer(() => Effect.sync(() => (process.env["PATH"] = path)))
      const since = Date.now()
      assert.strictEqual(yield* said(make([root]), join(root, "a.ts")), "Git can't say whether it ignores it.")
      assert.isBelow(Date.now() - since, 10_000)
    })
  )

  it.live("sends nothing of a repository about which git can't say anything", () =>
    Effect.gen(function* () {
      const root = folderOf({ "a.ts": "", ".git": "gitdir: /nowhere\n" })
      assert.strictEqual(yield* said(make([root]), join(root, "a.ts")), "Git can't say whether it ignores it.")
    })
  )

  it.live("goes by the list, by each name that leads to a file, and by the state folder", () =>
    Effect.gen(function* () {
      const root = folderOf({ ".env": "K=1", "own/x.json": "{}", "config.ts": "" })
      symlinkSync(join(root, ".env"), join(root, "harmless.ts"))
      symlinkSync(join(root, "config.ts"), join(root, "key.pem"))
      const sendable = make([root], { own: [join(root, "own")], neverSend: Effect.succeed(["conf*"]) })
      for (const name of [".env", "harmless.ts"])
        assert.strictEqual(
          yield* said(sendable, join(root, name)),
          "It is on the list of files that are never sent (.env*)."
        )
      const other = join(realpathSync(temporaryFolder("link")), "root")
      symlinkSync(root, other)
      for (const folder of [root, other]) assert.include(yield* said(sendable, join(folder, "key.pem")), "(*.pem)")
      assert.include(yield* said(sendable, join(root, "config.ts")), "(conf*)")
      assert.include(yield* said(sendable, join(root, "own/x.json")), "Signalbox's own state")
    })
  )

  it.live("sends nothing while nobody knows the list, and takes a changed list at once", () =>
    Effect.gen(function* () {
      const root = folderOf({ "a.ts": "" })
      let list: ReadonlyArray<string> | undefined = []
      const sendable = make([root], { neverSend: Effect.sync(() => list) })
      const file = join(root, "a.ts")
      assert.strictEqual(yield* said(sendable, file), "may")
      list = undefined
      assert.include(yield* said(sendable, file), "can't be understood")
      list = ["*.ts"]
      assert.include(yield* said(sendable, file), "(*.ts)")
    })
  )
})
