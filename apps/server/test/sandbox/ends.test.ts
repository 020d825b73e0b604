/** What runs in a sandbox ends as other programs do: by itself, when it is asked to, and with whoever holds it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { boxesAreSkipped, ran, started, world, type Wishes, type World } from "../support/Boxes.ts"

const hostProgram = fileURLToPath(new URL("../support/BoxHost.ts", import.meta.url))

/** The processes that have a word among their arguments, by the process table. */
const withWord = (word: string): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word) ? [Number(name)] : []
    } catch {
      return []
    }
  })

const untilNone = (word: string) =>
  Effect.sync(() => withWord(word).length).pipe(
    Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )

/** Shells deaf to polite signals, one of them in a session of its own. Says `up` when they run. */
const deafShells = (word: string): string =>
  `trap '' TERM HUP; setsid sh -c 'trap "" TERM HUP; sleep 600; : ${word}' & sh -c 'sleep 600; : ${word}' & echo up; wait; : ${word}`

/** A program with children deaf to polite signals, one of them in a session of its own. Goes on when it runs. */
const deaf = Effect.fnUntraced(function* (place: World, word: string, wishes?: Wishes) {
  const held = yield* started(place, deafShells(word), wishes)
  yield* Effect.promise(() => once(createInterface({ input: held.child.stdout }), "line"))
  assert.isAtLeast(withWord(word).length, 3)
  return held
})

describe.skipIf(boxesAreSkipped)("a program in a sandbox", () => {
  for (const settings of [true, { network: { hosts: ["example.com"] } }] as const) {
    const name = settings === true ? "" : ", behind the filter of its network,"

    it.live(`has its own exit code, input and output${name ? " behind the filter of its network" : ""}`, () =>
      Effect.gen(function* () {
        const place = yield* world
        const { exitCode, output } = yield* ran(place, "cat; echo out; echo err >&2; exit 7", { settings })
        assert.strictEqual(exitCode, 7)
        assert.deepStrictEqual(output.trim().split("\n").toSorted(), ["err", "out"])
        assert.strictEqual((yield* ran(place, "kill -9 $$", { settings })).exitCode, 128 + 9)
      })
    )

    it.live(`is asked to end${name} and decides how`, () =>
      Effect.gen(function* () {
        const place = yield* world
        const { child, over, signal } = yield* started(
          place,
          "trap 'echo asked; exit 3' TERM; echo up; sleep 600 & wait",
          {
            settings
          }
        )
        const lines = createInterface({ input: child.stdout })
        yield* Effect.promise(() => once(lines, "line"))
        signal("SIGTERM")
        const [asked] = yield* Effect.promise(() => once(lines, "line"))
        assert.strictEqual(asked, "asked")
        assert.strictEqual((yield* over).exitCode, 3)
      }).pipe(Effect.scoped)
    )

    it.live(`is killed${name} with all that it has started, in sessions of their own, too`, () =>
      Effect.gen(function* () {
        const place = yield* world
        const word = randomUUID()
        const { over, signal } = yield* deaf(place, word, { settings })
        signal("SIGKILL")
        yield* over
        yield* untilNone(word)
      }).pipe(Effect.scoped)
    )
  }

  it.live("ends with bubblewrap, however that one ends", () =>
    Effect.gen(function* () {
      const place = yield* world
      const word = randomUUID()
      const { child, over } = yield* deaf(place, word)
      child.kill("SIGKILL")
      assert.strictEqual((yield* over).signal, "SIGKILL")
      yield* untilNone(word)
    }).pipe(Effect.scoped)
  )

  it.live("ends with a server that is killed", () =>
    Effect.gen(function* () {
      const place = yield* world
      const word = randomUUID()
      const host = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [hostProgram, JSON.stringify(place), deafShells(word)], {
            // What a killed program leaves there goes with the place.
            env: { ...process.env, TMPDIR: place.folder }
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      yield* Effect.promise(() => once(createInterface({ input: host.stdout }), "line"))
      host.kill("SIGKILL")
      yield* untilNone(word)
    }).pipe(Effect.scoped)
  )

  it.live("ends with its session", () =>
    Effect.gen(function* () {
      const place = yield* world
      const word = randomUUID()
      yield* Effect.scoped(deaf(place, word))
      yield* untilNone(word)
    })
  )
})
