/** A program in a sandbox does not get out of it, over real processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { boxesAreSkipped, canary, ran, world } from "../support/Boxes.ts"

/** Prints the words of each attempt that succeeds. */
const attempts = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([name, command]) => `if (${command}) >/dev/null 2>&1; then echo "DONE ${name}"; fi`)
    .join("\n")

const quoted = (path: string): string => `'${path}'`

describe.skipIf(boxesAreSkipped)("a program in a sandbox", () => {
  it.live("writes in the project, and nowhere else", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { output } = yield* ran(
        place,
        attempts({
          project: "echo mine >> readme.txt && echo new > new.txt",
          home: `echo x > ${quoted(join(place.home, "x"))}`,
          bashrc: `echo x >> ${quoted(join(place.home, ".bashrc"))}`,
          beside: `echo x > ${quoted(join(place.folder, "x"))}`,
          rename: `mv ${quoted(place.project)} ${quoted(join(place.folder, "other"))}`,
          usr: "touch /usr/x",
          etc: "echo x >> /etc/hosts",
          state: `echo x > ${quoted(join(place.state, "settings.json"))}`,
          temporary: "echo x > /tmp/x && echo x > /dev/shm/x"
        })
      )
      assert.deepStrictEqual(output.trim().split("\n"), ["DONE project", "DONE temporary"])
      assert.strictEqual(readFileSync(join(place.project, "readme.txt"), "utf8"), "theirs\nmine\n")
      assert.isFalse(existsSync("/dev/shm/x"))
      assert.isFalse(existsSync(join(place.folder, "x")))
    })
  )

  it.live("reads no key, no password and nothing of our state, and the rest of the home", () =>
    Effect.gen(function* () {
      const place = yield* world
      const outside = mkdtempSync(join(tmpdir(), "boxes-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(outside, { recursive: true })))
      writeFileSync(join(outside, "secret"), canary)
      const { output } = yield* ran(
        place,
        `cat "$HOME/notes.txt"; cat "$HOME"/.ssh/* "$HOME"/.aws/* "$HOME/.netrc" "$HOME"/.config/gh/* "$HOME/.docker/config.json" \
         ${quoted(place.state)}/* ${quoted(join(outside, "secret"))}; grep -rs ${canary} "$HOME" ${quoted(place.state)}
         cat ${quoted(join(place.state, "agents-installed/one/agent"))}`
      )
      assert.include(output, "readable")
      assert.include(output, "a program")
      assert.notInclude(output, canary)
    })
  )

  it.live("has no way to processes, namespaces and mounts outside", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { output } = yield* ran(
        place,
        attempts({
          signal: `kill -0 ${process.pid}`,
          root: `ls /proc/${process.pid}/root`,
          many: "[ $(ls -d /proc/[0-9]* | wc -l) -gt 8 ]",
          mount: "mount -t tmpfs none /mnt",
          remount: "mount -o remount,rw /",
          unmount: `umount ${quoted(join(place.home, ".ssh"))}`,
          namespace: "unshare --user --map-root-user true",
          chroot: "chroot / true",
          // Only asked for: a sandbox that does not hold changes nothing here.
          kernel: "[ -w /proc/sys/kernel/core_pattern ]",
          device: "mknod /tmp/sda b 8 0",
          capabilities: "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status"
        })
      )
      assert.strictEqual(output, "")
    })
  )

  it.live("has no variable that leads outside", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { output } = yield* ran(place, 'echo "[$SSH_AUTH_SOCK$XDG_RUNTIME_DIR]"; echo "$MINE"', {
        env: { SSH_AUTH_SOCK: "/tmp/agent", XDG_RUNTIME_DIR: "/run/user/0", MINE: "kept" }
      })
      assert.strictEqual(output, "[]\nkept\n")
    })
  )

  it.live("loads nothing of the project into the program that makes the sandbox", () =>
    Effect.gen(function* () {
      const place = yield* world
      writeFileSync(join(place.project, "evil.so"), "no library")
      const { exitCode, output } = yield* ran(place, "echo fine", {
        env: { LD_PRELOAD: join(place.project, "evil.so"), PATH: `${place.project}:/usr/bin:/bin` }
      })
      // The loader complains once for the shell inside, and not for bubblewrap.
      assert.strictEqual(output.split("\n").filter((line) => line.includes("evil.so")).length, 1)
      assert.include(output, "fine")
      assert.strictEqual(exitCode, 0)
    })
  )

  it.live("gets no further mount by a variable that holds a NUL", () =>
    Effect.gen(function* () {
      const place = yield* world
      const refusal = yield* Effect.flip(ran(place, "true", { env: { X: `1\0--bind\0/\0/` } }))
      assert.strictEqual(refusal.problem.code, "agent-start-failed")
    })
  )

  it.live("reaches no server of this machine and no socket without network, and says so to programs", () =>
    Effect.gen(function* () {
      const place = yield* world
      const server = createServer((socket) => socket.end("reached"))
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => server.close())
      )
      const address = server.address()
      assert.isObject(address)
      const port = typeof address === "object" && address !== null ? address.port : 0
      const script = `${quoted(process.execPath)} -e 'require("node:net").connect(${port}, "127.0.0.1").on("data", (b) => console.log(String(b))).on("error", (e) => console.log(e.code))'`
      assert.strictEqual((yield* ran(place, script)).output, "reached\n")
      assert.strictEqual((yield* ran(place, script, { settings: { network: "off" } })).output, "ECONNREFUSED\n")
    })
  )

  it.live("finds its project under the names that people use", () =>
    Effect.gen(function* () {
      const place = yield* world
      const temporary = mkdtempSync(join(tmpdir(), "boxes-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(temporary, { recursive: true })))
      const inTemporary = join(temporary, "two\nlines")
      mkdirSync(inTemporary)
      writeFileSync(join(temporary, "beside"), canary)
      symlinkSync(place.project, join(temporary, "link"))
      const further = join(place.folder, "further")
      mkdirSync(join(further, "nested"), { recursive: true })

      const one = yield* ran(place, "pwd; echo x > made; ls ..", { folders: [inTemporary], cwd: inTemporary })
      assert.strictEqual(one.output, `${inTemporary}\ntwo\nlines\n`)
      assert.isTrue(existsSync(join(inTemporary, "made")))

      const link = join(temporary, "link")
      const two = yield* ran(place, `cat ${quoted(join(link, "readme.txt"))} && echo x > made`, {
        folders: [link],
        cwd: link
      })
      assert.strictEqual(two.output, "theirs\n")
      assert.isTrue(existsSync(join(place.project, "made")))

      const folders = [place.project, further, join(further, "nested")]
      const three = yield* ran(place, `echo x > ${quoted(join(further, "nested/made"))} && echo fine`, { folders })
      assert.strictEqual(three.output, "fine\n")
    })
  )

  it.live("can't put another folder in place of one around our state", () =>
    Effect.gen(function* () {
      const place = yield* world
      const state = join(place.project, "a/b/state")
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, "server.json"), canary)
      const { output } = yield* ran(
        place,
        `${attempts({ one: "mv a/b/state x", two: "mv a/b x", three: "mv a x", remove: "rm -r a" })}; cat a/b/state/server.json; echo x > a/b/mine && echo fine`,
        { own: [state] }
      )
      assert.notInclude(output, "DONE")
      assert.notInclude(output, canary)
      assert.include(output, "fine")
    })
  )

  it.live("writes and reads what the settings name, also among keys", () =>
    Effect.gen(function* () {
      const place = yield* world
      mkdirSync(join(place.home, ".agent"))
      const key = join(place.home, ".ssh/id_ed25519")
      const { output } = yield* ran(
        place,
        attempts({
          login: 'echo x > "$HOME/.agent/login"',
          key: `grep -q ${canary} "$HOME/.ssh/id_ed25519"`,
          other: `grep -q ${canary} "$HOME/.netrc"`,
          change: 'echo x >> "$HOME/.ssh/id_ed25519"',
          add: 'echo x > "$HOME/.ssh/authorized_keys"'
        }),
        { settings: { writable: [join(place.home, ".agent"), join(place.home, "missing")], readable: [key] } }
      )
      assert.strictEqual(output, "DONE login\nDONE key\n")
    })
  )
})
