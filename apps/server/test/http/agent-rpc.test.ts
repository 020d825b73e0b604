/** What pages ask of agents beside threads, over the WebSocket of a server as it really runs. */
import { CommandId, SignInId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Schema from "effect/Schema"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect, reachable } from "../cli/support/Conversation.ts"
import { groupEnds, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { AgentRecord } from "@signalbox/process/ProcessLedgerFolder"
import * as Keeper from "../support/Keeper.ts"

const decodeRecord = Schema.decodeSync(Schema.fromJsonString(AgentRecord))
const { id: providerId } = Keeper.keeper
const threadId = ThreadId.make("thread")
const terminal = { type: "terminal", id: "code", name: "By a code", args: ["login"] }

/** A server whose settings know the keeper. */
const served = Effect.fnUntraced(function* (setup: Keeper.Setup) {
  const keeper = yield* Keeper.make(setup)
  const state = temporaryFolder("state")
  const agent = { command: process.execPath, args: [Keeper.program], env: keeper.env }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { keeper: agent } }), { mode: 0o600 })
  const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
  /** The process groups of agents on record. */
  const onRecord = () =>
    readdirSync(join(state, "agents")).flatMap((file) => {
      const { agent } = decodeRecord(readFileSync(join(state, "agents", file), "utf8"))
      return agent === undefined ? [] : [agent.pid]
    })
  return { keeper, server, at: yield* reachable(server), onRecord }
})

const page = Effect.gen(function* () {
  const client = yield* RpcClient.make(SignalboxRpc)
  const send = (command: ThreadCommand) => client.send({ commandId: CommandId.make(randomUUID()), threadId, command })
  const prompt = (turnId: TurnId, text = "Hello") =>
    send({ type: "turn.start", turnId, prompt: [{ type: "text", text }] })
  /** Waits until the thread is as `holds` says. */
  const until = (holds: (view: ThreadView) => boolean) =>
    client.watchThread({ threadId }).pipe(
      Stream.scan(
        (): ThreadView | undefined => undefined,
        (view, frame) => (frame.type === "snapshot" ? frame.view : ThreadProjection.apply(view, frame.events))
      ),
      Stream.filter((view) => view !== undefined),
      Stream.filter(holds),
      Stream.runHead,
      Effect.flatMap(Effect.fromOption)
    )
  return { client, send, prompt, until }
})

/** Signs in until the terminal asks for the code; the agents that run then. */
const asked = Effect.fnUntraced(function* (onRecord: () => ReadonlyArray<number>) {
  const { client } = yield* page
  const shown = yield* client.signIn({ providerId, methodId: "code" }).pipe(
    Stream.filter((frame) => frame.type === "output" && frame.data.includes("Code: ")),
    Stream.map(onRecord),
    Stream.runHead
  )
  return yield* Effect.fromOption(shown)
})

const eventually = (is: () => boolean) =>
  Effect.sync(is).pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )

describe("a page", () => {
  it.live("[34] signs in in a terminal, and the prompt that was refused for the want of it is sent again", () =>
    Effect.gen(function* () {
      const { at, keeper } = yield* served({
        authMethods: [terminal],
        wantsLogin: ["session/prompt"],
        offers: { session: { resume: {} }, auth: { status: {}, logout: {} } }
      })
      yield* Effect.gen(function* () {
        const { client, prompt, send, until } = yield* page
        yield* send({ type: "thread.create", provider: providerId, cwd: temporaryFolder("project") })
        yield* prompt(TurnId.make("one"))
        const refused = yield* until(({ turns }) => turns[0]?.status === "failed")
        assert.strictEqual(refused.turns[0]?.problem?.signIn?.methods[0]?.type, "terminal")
        assert.isTrue(refused.session.capabilities?.signOut)

        /** Waits until the list of agents says this of the login. */
        const listed = (detail: string) =>
          client.watchProviders().pipe(
            Stream.filter((agents) =>
              agents.some(
                ({ checks, provider }) => provider.id === providerId && checks.some((one) => one.detail === detail)
              )
            ),
            Stream.runHead
          )
        assert.strictEqual((yield* client.signInState({ providerId })).state, "signed-out")
        yield* listed("Nobody is signed in, the agent says.")
        const frames: Array<SignInFrame> = []
        yield* Stream.runForEach(
          client.signIn({ providerId, methodId: "code", size: { columns: 90, rows: 20 } }),
          (frame) => {
            frames.push(frame)
            const [first] = frames
            return frame.type === "output" && frame.data.includes("Code: ") && first?.type === "started"
              ? client.signInInput({ signInId: first.signInId, input: { type: "keys", data: "1234\r" } })
              : Effect.void
          }
        )
        assert.strictEqual(frames.at(-1)?.type, "done")
        yield* listed("Signed in as ada@keeper.example, the agent says.")

        yield* until(({ session }) => session.state === "exited")
        yield* prompt(TurnId.make("two"))
        const done = yield* until(({ turns }) => turns[1]?.status === "completed")
        assert.strictEqual(done.session.origin, "resumed")
        // [39] What an agent says of it in the middle of a session takes its place.
        yield* prompt(TurnId.make("three"), "who?")
        yield* listed("Signed in as grace@keeper.example, the agent says.")
        yield* client.signOut({ providerId })
        assert.isFalse(keeper.state().signedIn)
      }).pipe(Effect.provide(connect(at)))
    }).pipe(Effect.scoped)
  )

  it.live("that leaves while somebody signs in takes the terminal with it", () =>
    Effect.gen(function* () {
      const { at, onRecord } = yield* served({ authMethods: [terminal] })
      const groups = yield* asked(onRecord).pipe(Effect.scoped, Effect.provide(connect(at)))
      assert.isAbove(groups.length, 0)
      yield* Effect.forEach(groups, groupEnds)
      yield* eventually(() => onRecord().length === 0)
    }).pipe(Effect.scoped)
  )

  it.live("whose server is killed while somebody signs in leaves nothing of the terminal behind", () =>
    Effect.gen(function* () {
      const { at, onRecord, server } = yield* served({ authMethods: [terminal] })
      const groups = yield* Effect.tap(
        asked(onRecord),
        Effect.sync(() => server.kill("SIGKILL"))
      ).pipe(Effect.scoped, Effect.provide(connect(at)))
      assert.isAbove(groups.length, 0)
      yield* Effect.forEach(groups, groupEnds)
    }).pipe(Effect.scoped)
  )

  it.live("can't type into an attempt that is over", () =>
    Effect.gen(function* () {
      const { at } = yield* served({})
      yield* Effect.gen(function* () {
        const { client } = yield* page
        const frames = yield* Stream.runCollect(client.signIn({ providerId, methodId: "none" }))
        assert.deepStrictEqual(
          frames.map(({ type }) => type),
          ["failed"]
        )
        const refused = yield* Effect.flip(
          client.signInInput({ signInId: SignInId.make("gone"), input: { type: "keys", data: "x" } })
        )
        assert.strictEqual(refused._tag, "SignInOver")
      }).pipe(Effect.provide(connect(at)))
    }).pipe(Effect.scoped)
  )
})
