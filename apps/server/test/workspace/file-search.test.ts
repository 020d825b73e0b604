import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as FileSearch from "../../src/workspace/FileSearch.ts"
import * as ProjectFiles from "@signalbox/ide/files/ProjectFiles"
import { temporaryFolder } from "../support/AgentHarness.ts"

const write = (folder: string, ...paths: ReadonlyArray<string>): void => {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
}

const git = (folder: string, ...args: ReadonlyArray<string>): void => {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder, stdio: "ignore" })
}

const found = Effect.fnUntraced(function* (cwd: string, query: string, limit = 20) {
  const { search } = yield* FileSearch.make
  return yield* search({ cwd, query, limit })
})

const paths = (cwd: string, query: string, limit?: number) =>
  Effect.map(found(cwd, query, limit), ({ files }) => files.map(({ path }) => path))

describe("files to mention", () => {
  it.live("are those that git knows or has not been told to ignore, and that are there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      git(folder, "init")
      write(folder, ".gitignore", "src/kept.ts", "src/gone.ts", "src/new.ts", "out/kept.js")
      writeFileSync(join(folder, ".gitignore"), "out/\n")
      git(folder, "add", ".gitignore", "src/kept.ts", "src/gone.ts")
      rmSync(join(folder, "src/gone.ts"))
      assert.deepStrictEqual(yield* paths(folder, ""), [".gitignore", "src/kept.ts", "src/new.ts"])
      assert.deepStrictEqual(yield* paths(folder, "kept"), ["src/kept.ts"])
    })
  )

  it.live("are found by letters of their names, the best first, with the letters that were meant", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "src/composer/Composer.tsx", "src/composer/Picker.tsx", "docs/compose-notes.md", "c/o/m/p.txt")
      const { files, truncated } = yield* found(folder, "composer")
      assert.strictEqual(files[0]?.path, "src/composer/Composer.tsx")
      assert.strictEqual(files[0]?.uri, pathToFileURL(join(folder, "src/composer/Composer.tsx")).href)
      assert.deepStrictEqual(files[0]?.matched, [13, 14, 15, 16, 17, 18, 19, 20])
      assert.isFalse(truncated)
      assert.strictEqual((yield* paths(folder, "cmpker"))[0], "src/composer/Picker.tsx")
      assert.lengthOf(yield* paths(folder, "", 2), 2)
      assert.isEmpty(yield* paths(folder, "zzzz"))
    })
  )

  it.live("without git are those of a walk that leaves out what tools make", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "a.txt", "deep/er/b.txt", "node_modules/x/index.js")
      assert.deepStrictEqual(yield* paths(folder, ""), ["a.txt", "deep/er/b.txt"])
    })
  )

  it.live("lie in the folder: links lead nowhere, also where a folder became one", () =>
    Effect.gen(function* () {
      const outside = yield* temporaryFolder
      const folder = yield* temporaryFolder
      write(outside, "secret.txt")
      write(folder, "in.txt", "sub/secret.txt")
      symlinkSync(outside, join(folder, "linked"))
      symlinkSync(join(outside, "secret.txt"), join(folder, "secret-link.txt"))
      const { search } = yield* FileSearch.make
      const ask = Effect.map(search({ cwd: folder, query: "secret", limit: 20 }), ({ files }) =>
        files.map(({ path }) => path)
      )
      assert.deepStrictEqual(yield* ask, ["sub/secret.txt"])
      rmSync(join(folder, "sub"), { recursive: true })
      symlinkSync(outside, join(folder, "sub"))
      assert.deepStrictEqual(yield* ask, [])
    })
  )

  it.live("are listed without running anything that the repository names", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const proof = join(folder, "ran")
      git(folder, "init")
      write(folder, "a.txt")
      git(folder, "config", "core.fsmonitor", `touch ${proof}; false`)
      assert.deepStrictEqual(yield* paths(folder, "a.txt"), ["a.txt"])
      assert.isFalse(existsSync(proof))
    })
  )

  it.live("of a folder that is not there, or no absolute path, are none", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      assert.isEmpty(yield* paths(join(folder, "nowhere"), "a"))
      assert.isEmpty(yield* paths("src", "a"))
    })
  )

  it.live("are as many as are looked at, and it is said that there are more", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "a/1", "a/2", "b/3", "b/4")
      assert.strictEqual((yield* ProjectFiles.list(folder, 3)).paths.length, 3)
      assert.isTrue((yield* ProjectFiles.list(folder, 3)).truncated)
      assert.isFalse((yield* ProjectFiles.list(folder, 4)).truncated)
      git(folder, "init")
      assert.deepStrictEqual(yield* ProjectFiles.list(folder, 3), { paths: ["a/1", "a/2", "b/3"], truncated: true })
      assert.isFalse((yield* ProjectFiles.list(folder, 4)).truncated)
    })
  )
})
