/** A program that holds another one gets its words, and no file descriptor that was left open to us. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { fileURLToPath } from "node:url"

const module = fileURLToPath(new URL("../src/Holder.ts", import.meta.url))

/** What a process prints that starts a script as a holder. `open`: a folder that it has inherited as descriptor 40. */
const held = (words: ReadonlyArray<string>, script: string, open: number) =>
  spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { spawn } from "node:child_process"
       import { spawned } from ${JSON.stringify(module)}
       const { stdout } = spawned({ words: ${JSON.stringify(words)} }, (stdio) => spawn("/bin/sh", ["-c", ${JSON.stringify(script)}], { stdio }))
       stdout.pipe(process.stdout)`
    ],
    {
      stdio: ["ignore", "pipe", "pipe", ...Array.from({ length: 37 }, () => "ignore" as const), open],
      encoding: "utf8"
    }
  )

describe.skipIf(process.platform !== "linux")("a program that holds another one", () => {
  const open = (run: (fd: number) => void) => {
    const fd = openSync("/usr", "r")
    run(fd)
    closeSync(fd)
  }

  it("reads its words from a pipe", () => {
    open((fd) => {
      const { stdout } = held(["one", "two\nlines", ""], "tr '\\000' '|' <&3", fd)
      assert.strictEqual(stdout, "one|two\nlines||")
    })
  })

  it("inherits no file descriptor that leads anywhere", () => {
    open((fd) => {
      const { stdout } = held([], "readlink /proc/self/fd/40; ls /proc/self/fd/40/", fd)
      assert.strictEqual(stdout, "/dev/null\n")
    })
  })

  it("is not started with a word that would count as two", () => {
    open((fd) => {
      const { status, stderr } = held(["one\0two"], "true", fd)
      assert.strictEqual(status, 1)
      assert.include(stderr, "A word holds a NUL")
    })
  })
})
