/** A program in a sandbox names no program for Git to run outside, over real processes and repositories. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as GitFolders from "../../src/sandbox/GitFolders.ts"
import { boxesAreSkipped, git, ran, sandboxOf, world, type World } from "../support/Boxes.ts"

const repository = (place: World): void => {
  git(place.project, "init", "--quiet", "--initial-branch=main")
  git(place.project, "add", ".")
  git(place.project, "commit", "--quiet", "--message=first")
}

/** Each way to have Git run a program of the agent, or to take away what guards it. Prints those that succeed. */
const tricks = (folder: string): string =>
  [
    `echo x > '${folder}/hooks/pre-commit'`,
    `echo x >> '${folder}/config'`,
    `git config core.fsmonitor ./evil`,
    `mv '${folder}/hooks' x`,
    `mv '${folder}' x`,
    `rm -r '${folder}/hooks' || rm -r '${folder}/config'`,
    `echo /tmp > '${folder}/commondir'`,
    `ln -sfn /tmp '${folder}/hooks'`
  ]
    .map((trick) => `if (${trick}) >/dev/null 2>&1; then echo "DONE ${trick}"; fi`)
    .join("\n")

const commit = "git -c user.name=a -c user.email=a@example.com commit --quiet --all --message=second"

describe.skipIf(boxesAreSkipped)("the folder of Git", () => {
  it.live("is read-only in a sandbox, and can't be renamed", () =>
    Effect.gen(function* () {
      const place = yield* world
      repository(place)
      const { output } = yield* ran(
        place,
        `${tricks(".git")}\necho y >> readme.txt; git status --short; mv .git x; mkdir .git`
      )
      assert.include(output, " M readme.txt\n")
      assert.notInclude(output, "DONE")
      assert.isTrue(existsSync(join(place.project, ".git/hooks")))
    })
  )

  it.live("takes commits where the settings say so, and no hook and no configuration", () =>
    Effect.gen(function* () {
      const place = yield* world
      repository(place)
      rmSync(join(place.project, ".git/hooks"), { recursive: true })
      const settings = { git: "writable" } as const
      yield* ran(place, `echo y >> readme.txt; ${commit}`, { settings })
      assert.strictEqual(git(place.project, "log", "-1", "--format=%s"), "second")
      const { output } = yield* ran(place, tricks(".git"), { settings })
      // What is left, and written down in docs/SANDBOX.md.
      assert.strictEqual(output.trim(), "DONE echo /tmp > '.git/commondir'")
      assert.deepStrictEqual(existsSync(join(place.project, ".git/hooks/pre-commit")), false)
    })
  )

  it.live("of a linked worktree takes commits, and its repository stays as it is", () =>
    Effect.gen(function* () {
      const place = yield* world
      repository(place)
      const worktree = join(place.folder, "linked")
      git(place.project, "worktree", "add", "--quiet", worktree)
      const config = readFileSync(join(place.project, ".git/config"), "utf8")
      const own = join(place.project, ".git/worktrees/linked")
      const wishes = { folders: [worktree], cwd: worktree }
      yield* ran(place, `echo y >> readme.txt; ${commit}`, wishes)
      assert.strictEqual(git(worktree, "log", "-1", "--format=%s"), "second")
      assert.strictEqual(git(worktree, "status", "--short"), "")
      const { output } = yield* ran(
        place,
        `${tricks(join(place.project, ".git"))}
         for f in .git '${own}/commondir' '${own}/gitdir'; do echo x > "$f" || rm "$f" || mv "$f" x || echo guarded; done`,
        wishes
      )
      assert.strictEqual(readFileSync(join(place.project, ".git/config"), "utf8"), config)
      assert.strictEqual(readFileSync(join(own, "commondir"), "utf8"), "../..\n")
      assert.notInclude(output, "DONE")
      assert.strictEqual(output.split("guarded\n").length, 4)
    })
  )

  it.live("is not taken from a file that names another folder", () =>
    Effect.gen(function* () {
      const place = yield* world
      writeFileSync(join(place.project, ".git"), `gitdir: ${place.home}\n`)
      const forged = join(place.project, "forged/worktrees/one")
      mkdirSync(forged, { recursive: true })
      assert.deepStrictEqual(yield* Effect.promise(() => GitFolders.of(place.project, undefined)), {
        writable: [],
        guarded: [join(place.project, ".git")]
      })
      // A folder that leads back here, whose repository has links to another place.
      writeFileSync(join(place.project, ".git"), `gitdir: ${forged}\n`)
      writeFileSync(join(forged, "gitdir"), `${join(place.project, ".git")}\n`)
      writeFileSync(join(forged, "commondir"), "../..\n")
      writeFileSync(join(place.project, "forged/config"), "")
      symlinkSync(place.home, join(place.project, "forged/objects"))
      const { writable } = yield* Effect.promise(() => GitFolders.of(place.project, undefined))
      assert.deepStrictEqual(writable, [forged])
    })
  )

  it.live("as a link, or as the project itself, has no sandbox", () =>
    Effect.gen(function* () {
      const place = yield* world
      repository(place)
      const bare = yield* Effect.flip(sandboxOf(place, { folders: [join(place.project, ".git")] }))
      assert.include(bare.problem.cause, "is itself a folder of Git")
      const linked = join(place.folder, "linked")
      mkdirSync(linked)
      symlinkSync(join(place.project, ".git"), join(linked, ".git"))
      const link = yield* Effect.flip(sandboxOf(place, { folders: [linked] }))
      assert.include(link.problem.cause, "is a link")
    })
  )
})

describe.skipIf(boxesAreSkipped)("what decides which programs run in a project", () => {
  it.live("is read-only, as far as it is there", () =>
    Effect.gen(function* () {
      const place = yield* world
      for (const name of [".vscode", ".cursor"]) mkdirSync(join(place.project, name))
      writeFileSync(join(place.project, ".vscode/tasks.json"), "{}")
      writeFileSync(join(place.project, ".envrc"), "")
      symlinkSync(place.home, join(place.project, ".idea"))
      const { output } = yield* ran(
        place,
        "for f in .vscode/tasks.json .cursor/mcp.json .envrc .idea/x; do (echo x >> $f) 2>/dev/null && echo DONE $f; done; mv .vscode x 2>/dev/null && echo DONE; true"
      )
      assert.strictEqual(output, "")
    })
  )
})
