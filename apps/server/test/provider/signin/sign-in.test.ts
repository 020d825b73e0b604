import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { SignInFrame, SignInInput } from "@signalbox/contracts/SignIn"
import { SignInId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { linksIn } from "../../../src/provider/acp/connection/Links.ts"
import { linkFrames, textFrames } from "../../../src/provider/acp/connection/SignInText.ts"
import { SignedIn } from "../../../src/provider/Services/SignedIn.ts"
import { SignIns } from "../../../src/provider/Services/SignIns.ts"
import * as FarAgent from "../../support/FarAgent.ts"
import * as Keeper from "../../support/Keeper.ts"

const { id } = Keeper.keeper
const size = { columns: 100, rows: 30 }

type FrameOf<Type extends SignInFrame["type"]> = Extract<SignInFrame, { readonly type: Type }>

/** Signs in; `react` does what a person does about each frame. */
const signIn = Effect.fnUntraced(function* (
  methodId: string,
  react: (frame: SignInFrame, shown: string) => SignInInput | undefined = () => undefined
) {
  const signIns = yield* SignIns
  const frames: Array<SignInFrame> = []
  let signInId = SignInId.make("none")
  yield* Stream.runForEach(signIns.signIn(id, methodId, size), (frame) => {
    frames.push(frame)
    if (frame.type === "started") ({ signInId } = frame)
    const input = react(frame, shownIn(frames))
    return input === undefined ? Effect.void : Effect.orDie(signIns.input(signInId, input))
  })
  const of = <Type extends SignInFrame["type"]>(type: Type) =>
    frames.filter((frame): frame is FrameOf<Type> => frame.type === type)
  return { frames, of, shown: shownIn(frames) }
})

const shownIn = (frames: ReadonlyArray<SignInFrame>): string =>
  frames.map((frame) => (frame.type === "output" ? frame.data : "")).join("")

const until = (is: () => boolean) =>
  Effect.sync(is).pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )

const web = { id: "web", name: "In the browser" }
const terminal = {
  type: "terminal",
  id: "code",
  name: "By a code",
  args: ["login"],
  env: { KEEPER_GREETING: "dear guest" }
}

/** Types the code as soon as it is asked for. */
const typing = (code: string) => {
  let typed = false
  return (frame: SignInFrame, shown: string): SignInInput | undefined => {
    if (typed || frame.type !== "output" || !shown.includes("Code: ")) return undefined
    typed = true
    return { type: "keys", data: `${code}\r` }
  }
}

describe("addresses in what is written while somebody signs in", () => {
  const good = "https://keeper.example/login"

  it("are found beside what only looks like one, however long that is", () => {
    const endless = `https://a${".".repeat(400_000)}a`
    assert.deepStrictEqual(linksIn(`${endless} ${good}. ${endless}`), [good])
  })

  it("are handed on once each, and no more than 500 of them", () => {
    const many = Array.from({ length: 2000 }, (_, index) => `${good}?${index} `)
    const frames: Array<SignInFrame> = []
    const line = textFrames((frame) => void frames.push(frame))
    const links = linkFrames()
    for (const text of [...many, ...many]) line(text)
    assert.lengthOf(
      frames.filter(({ type }) => type === "link"),
      500
    )
    assert.lengthOf([...many, ...many].flatMap(links), 500)
  })
})

describe("signing in by a method that the agent does itself", () => {
  it.live("[33] asks for it by its own name, and is done when the agent says so", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web] })
      yield* Effect.gen(function* () {
        const { frames } = yield* signIn("web")
        assert.deepStrictEqual(
          frames.map(({ type }) => type),
          ["started", "done"]
        )
        assert.deepStrictEqual(
          keeper.asked("authenticate").map(({ params }) => params),
          [{ methodId: "web" }]
        )
        assert.strictEqual(yield* (yield* SignedIn).methodOf(id), "web")
      }).pipe(Effect.provide(Keeper.layer(keeper)))
      yield* until(() => keeper.onRecord() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("lets whoever comes next meet a process that knows of it", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web] })
      yield* Effect.gen(function* () {
        const { state } = yield* SignIns
        yield* state(id)
        yield* state(id)
        assert.strictEqual(keeper.asked("initialize").length, 1)
        yield* signIn("web")
        yield* state(id)
        assert.strictEqual(keeper.asked("initialize").length, 3)
      }).pipe(Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live("shows what the agent writes beside the protocol as plain text, and each address in it once", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({
        authMethods: [web],
        onAuthenticate: [
          { stdout: "\u001b[32mOpen https://keeper.example/login?a=1&b=2.\u001b[0m\n" },
          { stdout: "Again: https://keeper.example/login?a=1&b=2\n" },
          { stderr: "waiting\u0007 for you\n" }
        ]
      })
      const { of } = yield* Effect.provide(signIn("web"), Keeper.layer(keeper))
      assert.sameMembers(
        of("text").map(({ line }) => line),
        ["Open https://keeper.example/login?a=1&b=2.", "Again: https://keeper.example/login?a=1&b=2", "waiting for you"]
      )
      assert.deepStrictEqual(of("link"), [{ type: "link", url: "https://keeper.example/login?a=1&b=2" }])
    }).pipe(Effect.scoped)
  )

  it.live("that fails says why, in the agent's words", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({
        authMethods: [web],
        onAuthenticate: [
          { error: { code: -32603, message: "The account is locked: see https://keeper.example/help." } }
        ]
      })
      const { of } = yield* Effect.provide(signIn("web"), Keeper.layer(keeper))
      assert.include(of("failed")[0]?.problem.cause, "The account is locked")
      assert.deepStrictEqual(of("link"), [{ type: "link", url: "https://keeper.example/help" }])
    }).pipe(Effect.scoped)
  )

  it.effect("says after 10 seconds what it waits for, and gives up after 5 minutes", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web], onAuthenticate: [{ forCancel: true }] })
      yield* Effect.gen(function* () {
        const attempt = yield* Effect.forkScoped(signIn("web"))
        yield* TestClock.withLive(until(() => keeper.asked("authenticate").length === 1))
        yield* TestClock.adjust("9 seconds")
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("290 seconds")
        const { frames, of } = yield* Fiber.join(attempt)
        assert.deepStrictEqual(
          frames.map(({ type }) => type),
          ["started", "waiting", "failed"]
        )
        assert.deepInclude(of("waiting")[0], { afterMs: 10_000, limitMs: 300_000 })
        assert.strictEqual(of("failed")[0]?.problem.code, "timed-out")
        assert.strictEqual(keeper.asked("$/cancel_request").length, 1)
      }).pipe(Effect.scoped, Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live("is given up when nobody listens any more: the agent is told, and its process ends", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web], onAuthenticate: [{ forCancel: true }] })
      yield* Effect.gen(function* () {
        const attempt = yield* Effect.forkScoped(signIn("web"))
        yield* until(() => keeper.asked("authenticate").length === 1)
        yield* Fiber.interrupt(attempt)
        assert.strictEqual(keeper.asked("$/cancel_request").length, 1)
        assert.strictEqual(keeper.onRecord(), 0)
      }).pipe(Effect.scoped, Effect.provide(Keeper.layer(keeper)))
      assert.isUndefined(keeper.state().signedIn)
    }).pipe(Effect.scoped)
  )

  it.live("puts to people what the agent asks meanwhile, and gives it their answer", () =>
    Effect.gen(function* () {
      const form = {
        mode: "form",
        message: "Which team?",
        requestedSchema: { type: "object", properties: { team: { type: "string" } }, required: ["team"] }
      }
      const onAuthenticate = [{ ask: { method: "elicitation/create", params: form } }]
      const keeper = yield* Keeper.make({ authMethods: [web], onAuthenticate })
      const answering = (response: RequestResponse) =>
        signIn("web", (frame) =>
          frame.type === "requested" ? { type: "answer", requestId: frame.request.requestId, response } : undefined
        )
      const { frames, of } = yield* Effect.provide(
        answering({ type: "content", content: { team: "red" } }),
        Keeper.layer(keeper)
      )
      assert.strictEqual(of("requested")[0]?.request.type, "form")
      assert.strictEqual(of("resolved")[0]?.outcome.type, "answered")
      assert.strictEqual(frames.at(-1)?.type, "done")
      const declined = yield* Effect.provide(answering({ type: "reject" }), Keeper.layer(keeper))
      assert.include(declined.of("failed")[0]?.problem.cause, "Nobody consented")
    }).pipe(Effect.scoped)
  )

  it.live("that the agent does not name is not tried", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web] })
      const { of } = yield* Effect.provide(signIn("other"), Keeper.layer(keeper))
      assert.strictEqual(of("failed")[0]?.problem.code, "option-unknown")
      assert.deepStrictEqual(keeper.asked("authenticate"), [])
    }).pipe(Effect.scoped)
  )

  it.live("by a variable of the environment is a hint: which one, and where to get it", () =>
    Effect.gen(function* () {
      const method = {
        type: "env_var",
        id: "key",
        name: "API key",
        vars: [{ name: "KEEPER_KEY", label: "Key", secret: true }],
        link: "https://keeper.example/keys"
      }
      const keeper = yield* Keeper.make({ authMethods: [method] })
      yield* Effect.gen(function* () {
        const { offer } = yield* (yield* SignIns).state(id)
        assert.deepStrictEqual(offer.methods, [{ ...method, type: "env_var" }])
        const { of } = yield* signIn("key")
        const [end] = of("failed")
        assert.include(end?.problem.cause, "KEEPER_KEY")
        assert.include(end?.problem.cause, "https://keeper.example/keys")
      }).pipe(Effect.provide(Keeper.layer(keeper)))
      assert.deepStrictEqual(keeper.asked("authenticate"), [])
    }).pipe(Effect.scoped)
  )
})

describe("signing in in a terminal", () => {
  it.live(
    "[35] runs the agent's own program with what it named in a pseudo-terminal; a code is typed, and it works",
    () =>
      Effect.gen(function* () {
        const keeper = yield* Keeper.make({ authMethods: [terminal], offers: { auth: { status: {} } } })
        yield* Effect.gen(function* () {
          const { frames, of, shown } = yield* signIn("code", typing("1234"))
          assert.include(shown, "dear guest. A terminal: true, 100 wide.")
          assert.include(shown, "\u001b[1mWelcome\u001b[0m")
          assert.isFalse(shown.startsWith("\r\n"))
          assert.deepStrictEqual(of("link"), [{ type: "link", url: "https://keeper.example/device?code=AB-CD" }])
          assert.strictEqual(frames.at(-1)?.type, "done")
          assert.deepStrictEqual(keeper.asked("authenticate"), [])
          // It is asked anew who it is, and says that somebody is signed in.
          assert.strictEqual((yield* (yield* SignIns).state(id)).state, "signed-in")
          assert.isAtLeast(keeper.asked("initialize").length, 2)
        }).pipe(Effect.provide(Keeper.layer(keeper)))
        yield* until(() => keeper.onRecord() === 0)
      }).pipe(Effect.scoped)
  )

  it.live("[35] that ends with another code than 0 has failed, and says what does the same by hand", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [terminal] })
      const { of, shown } = yield* Effect.provide(signIn("code", typing("9999")), Keeper.layer(keeper))
      assert.include(shown, "That is not the code.")
      const [end] = of("failed")
      assert.strictEqual(end?.problem.code, "auth-required")
      assert.include(end?.problem.cause, "code 3")
      const command = end?.problem.nextSteps.find(({ action }) => action === "run-command")?.command
      assert.include(command, "env 'KEEPER_GREETING=dear guest'")
      assert.isTrue(command?.endsWith("keeper.mjs login"))
    }).pipe(Effect.scoped)
  )

  it.live("follows the size of the window", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [terminal] })
      const type = typing("1234")
      let resized = false
      const { shown } = yield* signIn("code", (frame, shown) => {
        if (!resized && shown.includes("Code: ")) {
          resized = true
          return { type: "resize", size: { columns: 61, rows: 20 } }
        }
        return shown.includes("Now 61 wide.") ? type(frame, shown) : undefined
      }).pipe(Effect.provide(Keeper.layer(keeper)))
      assert.include(shown, "Signed in.")
    }).pipe(Effect.scoped)
  )

  it.live("ends with who watches it: nothing is left of its program", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [terminal] })
      yield* Effect.gen(function* () {
        const signIns = yield* SignIns
        const asked = Stream.takeUntil(
          signIns.signIn(id, "code", size),
          (frame) => frame.type === "output" && frame.data.includes("Code: ")
        )
        yield* Stream.runDrain(asked)
        assert.strictEqual(keeper.onRecord(), 0)
      }).pipe(Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live("[36] is offered by agents only where there is a terminal to show", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [terminal] })
      const look = Effect.flatMap(SignIns, (signIns) => signIns.state(id))
      yield* Effect.provide(look, Keeper.layer(keeper, { terminalSignIn: true }))
      yield* Effect.provide(look, Keeper.layer(keeper, { terminalSignIn: false }))
      const [first, second] = keeper.asked("initialize").map(({ params }) => JSON.stringify(params))
      assert.include(first, '"auth":{"terminal":true}')
      assert.notInclude(second, '"auth"')
    }).pipe(Effect.scoped)
  )
})

describe("signing in to an agent that runs elsewhere", () => {
  it.live("works as with any other, but for ways that need its program here", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods: [web, terminal] })
      const far = yield* FarAgent.serve([Keeper.program], keeper.env)
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* signIn("web")).frames.at(-1)?.type, "done")
        const { of } = yield* signIn("code")
        assert.include(of("failed")[0]?.problem.cause, "It runs elsewhere")
      }).pipe(Effect.provide(Keeper.layer(keeper, { acp: { url: far.url } })))
      // [36] It is not asked to offer them.
      assert.notInclude(JSON.stringify(keeper.asked("initialize")), '"terminal":true}')
    }).pipe(Effect.scoped)
  )
})

describe("who is signed in", () => {
  it.live("[39] is what the agent says; what is new to us is unknown", () =>
    Effect.gen(function* () {
      for (const [said, understood] of [
        ["authenticated", "signed-in"],
        ["unauthenticated", "signed-out"],
        ["not_required", "not-needed"],
        ["half_asleep", "unknown"]
      ] as const) {
        const keeper = yield* Keeper.make({ authState: said, offers: { auth: { status: {} } } })
        const state = Effect.flatMap(SignIns, (signIns) => signIns.state(id))
        assert.strictEqual((yield* Effect.provide(state, Keeper.layer(keeper))).state, understood)
      }
      const silent = yield* Keeper.make({ authMethods: [web, { ...web, id: "new", type: "telepathy" }] })
      const { offer, signOut, state } = yield* Effect.flatMap(SignIns, (signIns) => signIns.state(id)).pipe(
        Effect.provide(Keeper.layer(silent))
      )
      assert.strictEqual(state, "unknown")
      assert.isFalse(signOut)
      assert.deepStrictEqual(silent.asked("auth/status"), [])
      // [37] A kind that is new to us is shown as what it is.
      assert.deepStrictEqual(
        offer.methods.map(({ type }) => type),
        ["agent", "unknown"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("[38] can be forgotten where the agent offers it", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { auth: { logout: {}, status: {} } } })
      keeper.put({ sessions: [], signedIn: true })
      yield* Effect.gen(function* () {
        const signIns = yield* SignIns
        const before = yield* signIns.state(id)
        assert.deepStrictEqual(before.accounts, ["ada@keeper.example"])
        assert.isTrue(before.signOut)
        yield* signIns.signOut(id)
        assert.strictEqual((yield* signIns.state(id)).state, "signed-out")
      }).pipe(Effect.provide(Keeper.layer(keeper)))
      const plain = yield* Keeper.make()
      const { problem } = yield* Effect.flip(Effect.flatMap(SignIns, (signIns) => signIns.signOut(id))).pipe(
        Effect.provide(Keeper.layer(plain))
      )
      assert.strictEqual(problem.code, "unsupported")
      assert.deepStrictEqual(plain.asked("logout"), [])
    }).pipe(Effect.scoped)
  )
})
