import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as MessageLink from "../src/MessageLink.ts"
import * as RawConnection from "../src/RawConnection.ts"
import { errorText, type RawMessage } from "../src/RawMessage.ts"
import * as Transport from "../src/Transport.ts"

const overBytes = Effect.gen(function* () {
  const [near, far] = yield* Transport.pair()
  return [yield* MessageLink.overBytes(near), yield* MessageLink.overBytes(far)] as const
})

const links = [
  ["in memory", Effect.sync(MessageLink.pair)],
  ["over bytes", overBytes]
] as const

const stray: RawMessage = { _tag: "Response", id: "77", answer: { error: errorText({ code: 1, message: "Stray" }) } }
const note: RawMessage = { _tag: "Notification", side: "client", method: "a", params: undefined }

describe("A raw connection", () => {
  for (const [where, make] of links) {
    for (const [what, message, handlers] of [
      ["a handler's effect dies", note, { onNotification: () => Effect.die("Broken") }],
      [
        "who hears of issues throws",
        stray,
        {
          onNotification: () => {},
          onIssue: () => {
            throw new Error("Broken")
          }
        }
      ]
    ] as const) {
      it.live(`${where} ends when ${what}, and settles what waits`, () =>
        Effect.gen(function* () {
          const [near, far] = yield* make
          const connection = yield* RawConnection.make(near, () => ({ onRequest: () => {}, ...handlers }))
          const settled = yield* Deferred.make<RawConnection.Settled>()
          connection.request({ side: "client", method: "b", params: undefined }, (outcome) =>
            Deferred.doneUnsafe(settled, Effect.succeed(outcome))
          )
          far.send(message)
          const closed = yield* connection.closed
          assert.deepStrictEqual([closed.reason, closed.message], ["ReadFailed", "Broken"])
          assert.deepStrictEqual(yield* Deferred.await(settled), { closed })
        })
      )
    }
  }
})

describe("A raw connection over bytes", () => {
  /** A connection, and the bytes that its other side reads and writes. */
  const connect = Effect.fnUntraced(function* (maxLineBytes?: number) {
    const [near, far] = yield* Transport.pair()
    const issues: Array<RawConnection.Issue> = []
    const lines = yield* Queue.unbounded<string>()
    const written = yield* Queue.unbounded<Uint8Array>()
    yield* Stream.runForEach(far.input, (chunk) =>
      Effect.sync(() => {
        const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)
        for (const line of text.split("\n").filter((each) => each !== "")) Queue.offerUnsafe(lines, line)
      })
    ).pipe(Effect.forkScoped)
    yield* Stream.run(Stream.fromQueue(written), far.output).pipe(Effect.forkScoped)
    const connection = yield* RawConnection.make(yield* MessageLink.overBytes(near, { maxLineBytes }), () => ({
      onRequest: (_, respond) => respond({ result: "null" }),
      onNotification: () => {},
      onIssue: (issue) => void issues.push(issue)
    }))
    const settled = yield* Deferred.make<RawConnection.Settled>()
    connection.request({ side: "client", method: "b", params: undefined }, (outcome) =>
      Deferred.doneUnsafe(settled, Effect.succeed(outcome))
    )
    yield* Queue.take(lines)
    const write = (line: string) => Queue.offer(written, new TextEncoder().encode(`${line}\n`))
    return { issues, lines, settled: Deferred.await(settled), write }
  })

  for (const [how, line, expected] of [
    ["is not JSON", '{"jsonrpc":"2.0","id":1,"result":{broken}}', "The response is not JSON"],
    ["has neither result nor error", '{"jsonrpc":"2.0","id":1}', "The response is empty"],
    ["is too long", `{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(400)}"}`, "The response is too long"]
  ] as const)
    it.live(`settles a request whose response ${how}, reports it, and does not answer it`, () =>
      Effect.gen(function* () {
        const { issues, lines, settled, write } = yield* connect(300)
        yield* write(line)
        const outcome = yield* settled
        assert.deepInclude(JSON.parse("error" in outcome ? outcome.error : "null"), { code: -32600, message: expected })
        assert.deepStrictEqual(
          issues.map((issue) => ("wasAnswered" in issue ? issue.wasAnswered : undefined)),
          [false]
        )
        yield* write('{"jsonrpc":"2.0","id":"next","method":"a"}')
        assert.include(yield* Queue.take(lines), '"id":"next"')
      })
    )

  it.live("answers a request that is not JSON, if its beginning has the id", () =>
    Effect.gen(function* () {
      const { lines, write } = yield* connect()
      yield* write('{"jsonrpc":"2.0","id":"torn","method":"a","params":{broken}}')
      assert.match(yield* Queue.take(lines), /"id":"torn","error":\{"code":-32700/)
    })
  )

  it.live("answers an object with an id that nobody waits for", () =>
    Effect.gen(function* () {
      const { lines, write } = yield* connect()
      yield* write('{"jsonrpc":"2.0","id":7}')
      assert.match(yield* Queue.take(lines), /"id":7,"error":\{"code":-32600/)
    })
  )
})
