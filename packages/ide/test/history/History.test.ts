/** The tools of the git component: what they read, what they refuse, and that nothing of a repository is run. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Git from "../../src/history/Git.ts"
import * as History from "../../src/history/History.ts"
import * as Repositories from "./Repositories.ts"

const refusal = <A>(read: Effect.Effect<A, Git.GitFailure>): Effect.Effect<string, A> =>
  Effect.map(Effect.flip(read), ({ message }) => message)

/** The messages of commits in a log. */
const subjects = ({ text }: Git.Output): ReadonlyArray<string> =>
  text
    .split(/^commit /m)
    .slice(1)
    .map((entry) => entry.split("\n")[4]?.trim() ?? "")

describe("git_log", () => {
  it.live("lists commits, newest first, with all that their heads say", () =>
    Effect.gen(function* () {
      const { folder, git } = yield* Repositories.withHistory
      const log = yield* History.log(folder, {})
      assert.deepStrictEqual(subjects(log), ["Third", "Second", "First"])
      assert.isFalse(log.isCut)
      const first = git("rev-parse", "HEAD~2").trim()
      assert.strictEqual(
        log.text.slice(log.text.indexOf(`commit ${first}`)).replace("+00:00", "Z"),
        `commit ${first}\nAuthor: Ada <ada@example.org>\nDate: 2026-01-02T03:04:05Z\n\n    First\n    \n    With a body\n\n`
      )
    })
  )

  it.live("keeps to a range, a path and a limit", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      assert.deepStrictEqual(subjects(yield* History.log(folder, { revision: "HEAD~2..HEAD~1" })), ["Second"])
      assert.deepStrictEqual(subjects(yield* History.log(folder, { revision: "HEAD~1.." })), ["Third"])
      assert.deepStrictEqual(subjects(yield* History.log(folder, { revision: "HEAD~1" })), ["Second", "First"])
      assert.deepStrictEqual(subjects(yield* History.log(folder, { path: "a.txt" })), ["Second", "First"])
      for (const limit of [1, 0, -3, 1.7, Number.NaN])
        assert.lengthOf(subjects(yield* History.log(folder, { limit })), 1, String(limit))
      assert.lengthOf(subjects(yield* History.log(folder, { limit: 1e9 })), 3)
      assert.strictEqual((yield* History.log(folder, { revision: "HEAD..HEAD" })).text, "No commits.")
    })
  )

  it.live("takes paths from the session's folder, and absolute ones", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      const sub = join(folder, "sub")
      for (const path of ["b.txt", "../sub/b.txt", ".", sub, join(sub, "b.txt")])
        assert.deepStrictEqual(subjects(yield* History.log(sub, { path })), ["Third"], path)
      // A client may name its folder by a link.
      const link = join(folder, "link")
      symlinkSync(sub, link)
      assert.deepStrictEqual(subjects(yield* History.log(link, { path: join(link, "b.txt") })), ["Third"])
    })
  )

  it.live("takes a path as it is, not as a pattern", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      for (const path of ["*.txt", ":(glob)**", ":!a.txt", ":/"])
        assert.strictEqual((yield* History.log(folder, { path })).text, "No commits.", path)
    })
  )
})

describe("git_blame", () => {
  it.live("names commit, author and day of each committed line", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Repositories.withHistory
      write("a.txt", "not committed\n")
      const { text } = yield* History.blame(folder, { path: "a.txt" })
      assert.match(text, /^\^?[0-9a-f]+ \(Ada 2026-01-02 1\) one\n[0-9a-f]+ \(Ada 2026-01-02 2\) two\n$/)
      assert.match((yield* History.blame(folder, { path: "a.txt", firstLine: 2 })).text, /^[0-9a-f]+ [^\n]+ two\n$/)
      const before = yield* History.blame(folder, { path: "a.txt", revision: "HEAD~2", firstLine: 1, lastLine: 1 })
      assert.match(before.text, /^\^[0-9a-f]+ [^\n]+ one\n$/)
    })
  )

  it.live("refuses lines that are none", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      for (const lines of [{ firstLine: 0 }, { firstLine: 1.5 }, { firstLine: 2, lastLine: 1 }, { lastLine: -1 }])
        assert.match(yield* refusal(History.blame(folder, { path: "a.txt", ...lines })), /^Lines are counted from 1/)
      assert.match(yield* refusal(History.blame(folder, { path: "a.txt", firstLine: 99 })), /^git: .*2 lines/)
      assert.match(yield* refusal(History.blame(folder, { path: "none.txt" })), /^git: .*none\.txt/)
    })
  )
})

describe("git_diff", () => {
  it.live("shows what changed between two commits", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Repositories.withHistory
      write("a.txt", "not committed\n")
      const { text } = yield* History.diff(folder, { range: "HEAD~2..HEAD" })
      assert.include(text, "+two\n")
      assert.include(text, "+++ b/sub/b.txt\n")
      assert.notInclude(text, "not committed")
      const some = yield* History.diff(folder, { range: "HEAD~2...HEAD", path: "sub" })
      assert.notInclude(some.text, "a.txt")
      assert.strictEqual((yield* History.diff(folder, { range: ".." })).text, "No changes.")
    })
  )

  it.live("refuses what is no range", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      assert.match(yield* refusal(History.diff(folder, { range: "HEAD" })), /^HEAD is no range\. Write two commits/)
      assert.strictEqual(yield* refusal(History.diff(folder, { range: "none..HEAD" })), "There is no commit none.")
      assert.match(yield* refusal(History.diff(folder, { range: "HEAD....HEAD" })), /^There is no commit \.HEAD\.$/)
    })
  )
})

describe("Arguments from elsewhere", () => {
  it.live("never become options of git", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      const target = join(folder, "written")
      const option = `--output=${target}`
      for (const revision of [option, `${option}..HEAD`, `HEAD..${option}`, "-1", "--all", "--no-index"]) {
        assert.match(yield* refusal(History.log(folder, { revision })), /begins with a hyphen\.$/)
        assert.match(yield* refusal(History.blame(folder, { path: "a.txt", revision })), /hyphen|no commit/)
        assert.match(yield* refusal(History.diff(folder, { range: revision })), /hyphen|no range/)
      }
      // Behind the two hyphens, this is the path of a file that is not there.
      assert.strictEqual((yield* History.log(folder, { path: option })).text, "No commits.")
      assert.strictEqual((yield* History.diff(folder, { range: "HEAD~2..", path: option })).text, "No changes.")
      assert.match(yield* refusal(History.blame(folder, { path: option })), /^git: /)
      assert.isFalse(existsSync(target))
    })
  )

  it.live("name nothing outside of the repository, and nothing of git's own", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      for (const path of ["..", "../x", "sub/../../x", "/etc/passwd", dirname(folder), `${folder}-other/x`])
        for (const read of [
          History.log(folder, { path }),
          History.blame(folder, { path }),
          History.diff(folder, { range: "HEAD~2..", path })
        ])
          assert.match(yield* refusal<Git.Output>(read), /is outside of the repository/, path)
      for (const path of [".git", ".git/config", join(folder, ".git/config")])
        assert.match(yield* refusal(History.blame(folder, { path })), /git's own folder/)
    })
  )

  it.live("are refused when they are empty, too long, or have control characters", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      for (const word of ["", "x".repeat(1001), "a\0b", "a\nb", "\u001b[2J"]) {
        assert.match(yield* refusal(History.log(folder, { path: word })), /^The path /)
        assert.match(yield* refusal(History.blame(folder, { path: "a.txt", revision: word })), /^The revision /)
      }
    })
  )

  it.live("name one commit, and no file or tree", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      for (const revision of ["HEAD:a.txt", "HEAD^{tree}", "nothing", "HEAD^@", "^HEAD"])
        assert.match(yield* refusal(History.log(folder, { revision })), /^There is no commit|is not one commit/)
    })
  )
})

describe("Git", () => {
  it.live("runs no program that the repository names", () =>
    Effect.gen(function* () {
      const { commit, folder, git, write } = yield* Repositories.withHistory
      const { program: trap, sprung } = Repositories.trapIn({ folder })
      write(".gitattributes", "*.txt diff=trap filter=trap\n")
      commit("Attributes")
      write("a.txt", "three\n")
      commit("Change")
      for (const [key, value] of Object.entries({
        "core.fsmonitor": `${trap} fsmonitor`,
        "core.pager": `${trap} pager`,
        "diff.external": `${trap} external`,
        "diff.trap.command": `${trap} command`,
        "diff.trap.textconv": `${trap} textconv`,
        "filter.trap.clean": `${trap} clean`,
        "filter.trap.smudge": `${trap} smudge`,
        "log.showSignature": "true",
        "gpg.program": trap,
        "core.sshCommand": `${trap} ssh`,
        "remote.origin.url": "ssh://localhost/nothing",
        "remote.origin.promisor": "true"
      }))
        git("config", key, value)
      // The trap works: git alone falls into it.
      git("diff", "HEAD^..HEAD")
      git("blame", "a.txt")
      assert.includeMembers([...sprung()], ["command", "textconv"])
      write("a.txt", "not committed\n")
      yield* History.log(folder, { path: "a.txt" })
      assert.include((yield* History.diff(folder, { range: "HEAD^..HEAD" })).text, "+three\n")
      assert.include((yield* History.blame(folder, { path: "a.txt" })).text, "three")
      // Nothing is fetched that a partial clone lacks.
      const blob = git("rev-parse", "HEAD:a.txt").trim()
      rmSync(join(folder, ".git/objects", blob.slice(0, 2), blob.slice(2)))
      yield* refusal(History.blame(folder, { path: "a.txt" }))
      assert.deepStrictEqual(sprung(), [])
    })
  )

  it.live("hears nothing from the environment that names another repository or program", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      const other = yield* Repositories.make
      const before = { ...process.env }
      process.env["GIT_DIR"] = join(other.folder, ".git")
      process.env["GIT_EXTERNAL_DIFF"] = "false"
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const name of ["GIT_DIR", "GIT_EXTERNAL_DIFF"])
            if (before[name] === undefined) delete process.env[name]
            else process.env[name] = before[name]
        })
      )
      assert.lengthOf(subjects(yield* History.log(folder, {})), 3)
      assert.include((yield* History.diff(folder, { range: "HEAD^.." })).text, "+b\n")
    })
  )

  it.live("returns the beginning of a long output, in whole lines, and says so", () =>
    Effect.gen(function* () {
      const { commit, folder, write } = yield* Repositories.withHistory
      write("long.txt", "a line of forty characters, or about so\n".repeat(50_000))
      commit("Long")
      const { isCut, text } = yield* History.diff(folder, { range: "HEAD^..HEAD" })
      assert.isTrue(isCut)
      assert.isAtMost(text.length, 64 * 1024)
      assert.isTrue(text.endsWith("about so\n"))
    })
  )

  it.live("says what is wrong with the folder", () =>
    Effect.gen(function* () {
      const { folder } = yield* Repositories.withHistory
      assert.match(yield* refusal(History.log("/proc", {})), /^git: fatal: not a git repository/)
      assert.match(yield* refusal(History.log(join(folder, "none"), {})), /^The folder is not there/)
      const empty = yield* Repositories.make
      assert.strictEqual(yield* refusal(History.log(empty.folder, {})), "There is no commit HEAD.")
    })
  )
})
