/** Repositories of git for tests, in folders of their own. */
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface Repository {
  readonly folder: string
  /** Runs git here, and returns what it writes. */
  readonly git: (...args: ReadonlyArray<string>) => string
  readonly write: (path: string, text: string) => void
  /** Commits all files with this message. */
  readonly commit: (message: string) => void
}

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z"
}

/** An empty repository, which is removed when the scope closes. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "signalbox-git-")))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder): Repository => {
    const git: Repository["git"] = (...args) =>
      execFileSync("git", args, { cwd: folder, env: environment, encoding: "utf8" })
    git("init", "--quiet", "--initial-branch=main")
    return {
      folder,
      git,
      write: (path, text) => {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      },
      commit: (message) => {
        git("add", "--all")
        git("commit", "--quiet", "--message", message)
      }
    }
  }
)

/** A repository with three commits: `a.txt`, then a second line of it, then `sub/b.txt`. */
export const withHistory = Effect.map(make, (repository) => {
  repository.write("a.txt", "one\n")
  repository.commit("First\n\nWith a body")
  repository.write("a.txt", "one\ntwo\n")
  repository.commit("Second")
  repository.write("sub/b.txt", "b\n")
  repository.commit("Third")
  return repository
})

export interface Trap {
  /** A program that settings of the repository can name. It notes the word behind it. */
  readonly program: string
  /** The words of all runs since the last call. */
  readonly sprung: () => ReadonlyArray<string>
}

/** Lays a program into git's own folder that leaves a trace when it is run. */
export const trapIn = ({ folder }: Pick<Repository, "folder">): Trap => {
  const ran = join(folder, ".git/ran")
  const program = join(folder, ".git/trap")
  mkdirSync(ran)
  writeFileSync(program, `#!/bin/sh\ntouch "${ran}/$1"\n`)
  chmodSync(program, 0o755)
  return {
    program,
    sprung: () => {
      const words = readdirSync(ran)
      for (const word of words) rmSync(join(ran, word))
      return words
    }
  }
}
