import { assert, describe, it } from "@effect/vitest"
import type { ToView } from "@signalbox/contracts/HostMessage"
import type { Problem } from "@signalbox/contracts/Problem"
import { afterEach, vi } from "vitest"
import * as ViewSession from "../src/view/ViewSession.ts"

const problemOf = (title: string): Problem => ({ code: "internal", title, cause: "", evidence: {}, nextSteps: [] })

/** A session beside a server that is never found. It says how it was looked for. */
const set = () => {
  const looks: Array<boolean> = []
  const posted: Array<ToView> = []
  const warned: Array<string> = []
  const asked: Array<string> = []
  let reloads = 0
  const session: ViewSession.ViewSession = ViewSession.make(
    {
      log: { info: () => {}, warn: (_, message) => void warned.push(message) },
      find: (mayStart) => {
        looks.push(mayStart)
        return Promise.resolve({ problem: problemOf(mayStart ? "It could not be started." : "None runs.") })
      },
      welcome: () => [{ type: "offers", offers: [] }],
      onAsk: ({ type }) => void asked.push(type),
      onSilent: ({ reload }) => reload()
    },
    {
      post: (message) => {
        posted.push(message)
        return Promise.resolve(true)
      },
      reload: () => {
        reloads += 1
        session.leave()
        session.loads()
      }
    }
  )
  /** The problem that the view gets for a way that it wants. */
  const connected = async (connection: string): Promise<string | undefined> => {
    session.take({ type: "connect", connection })
    const found = () => posted.find((message) => message.type === "disconnected" && message.connection === connection)
    const message = await vi.waitUntil(found)
    return message.type === "disconnected" ? message.problem?.title : undefined
  }
  return { asked, connected, looks, posted, reloads: () => reloads, session, warned }
}

describe("a view without a server", () => {
  it("starts one once, and goes on saying why that failed", async () => {
    const { connected, looks, session } = set()
    session.take({ type: "ready" })
    assert.strictEqual(await connected("a"), "It could not be started.")
    assert.strictEqual(await connected("b"), "It could not be started.")
    assert.deepStrictEqual(looks, [true, false])
  })

  it("starts one again when somebody tries, or a new document comes", async () => {
    const { connected, looks, session } = set()
    session.take({ type: "ready" })
    await connected("a")
    session.take({ type: "try" })
    await connected("b")
    session.take({ type: "ready" })
    await connected("c")
    assert.deepStrictEqual(looks, [true, true, true])
  })
})

describe("a view", () => {
  it("is told nothing before it listens, and then in order", () => {
    const { posted, session } = set()
    assert.isFalse(session.tell({ type: "newThread" }))
    session.tellNext({ type: "workspace", workspace: { folders: [], isTrusted: true } })
    assert.deepStrictEqual(posted, [])
    session.take({ type: "ready" })
    assert.deepStrictEqual(
      posted.map(({ type }) => type),
      ["offers", "workspace"]
    )
  })

  it("that says what is not understood is logged, and asks nothing", () => {
    const { asked, session, warned } = set()
    for (const message of [undefined, "ready", { type: "open" }, { type: "openFile", path: 1 }, { type: "connect" }])
      session.take(message)
    assert.strictEqual(warned.length, 5)
    assert.deepStrictEqual(asked, [])
  })
})

describe("a view that never says that it listens", () => {
  afterEach(() => vi.useRealTimers())

  it("is reported after twenty seconds, each time that it is loaded", () => {
    vi.useFakeTimers()
    const { reloads, session, warned } = set()
    session.loads()
    vi.advanceTimersByTime(19_999)
    assert.deepStrictEqual(warned, [])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(warned, ["The document of the view has said nothing"])
    assert.strictEqual(reloads(), 1)
    vi.advanceTimersByTime(20_000)
    assert.strictEqual(reloads(), 2)
  })

  it("is not reported where it listens, is loaded again, or is left before", () => {
    vi.useFakeTimers()
    const { session, warned } = set()
    session.loads()
    session.take({ type: "ready" })
    session.loads()
    vi.advanceTimersByTime(60_000)
    session.leave()
    session.loads()
    vi.advanceTimersByTime(15_000)
    session.loads()
    vi.advanceTimersByTime(15_000)
    session.leave()
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(warned, [])
  })
})
