/** The tee component: every message is in its files, and none is changed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BuiltInComponent } from "../../src/BuiltInComponent.ts"
import type * as Component from "../../src/Component.ts"
import { tee } from "../../src/components/tee/Tee.ts"
import { ways } from "../BothWays.ts"
import { byHand, type Client, connect, initialize, update } from "../Parts.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-tee-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const odd = '{"large":9007199254740993,"none":null,"number":1.0,"_meta":{"x":[]},"text":"\\u00fc\\n"}'

/** An agent that keeps the words of what comes to it. It says something, asks its client something, and answers in odd words. */
const talkative = (heard: Array<string>) =>
  byHand("talkative", ({ notify, request }) => ({
    onRequest: ({ method, params }, respond) => {
      heard.push(`${method} ${params}`)
      if (method === "initialize") return respond({ result: `{"protocolVersion":1,"odd":${odd}}` })
      if (method === "_fail") return respond({ error: `{"code":-32099,"message":"no","data":${odd}}` })
      notify({ side: "client", method: "session/update", params: update("hello") })
      request({ side: "client", method: "_ask", params: odd }, () => respond({ result: odd }))
    },
    onNotification: ({ method, params }) => void heard.push(`${method} ${params}`)
  }))

/** Says the same to each chain, and returns all that both ends hear. */
const conversation = Effect.fnUntraced(function* (...proxies: ReadonlyArray<Component.Component>) {
  const toAgent: Array<string> = []
  const client: Client = yield* connect({ assemble: () => Effect.succeed({ agent: talkative(toAgent), proxies }) })
  const answers = [yield* initialize(client)]
  client.connection.notify({ side: "client", method: "_said", params: odd })
  client.connection.notify({ side: "client", method: "_bare", params: undefined })
  answers.push(yield* client.request("_talk", odd), yield* client.request("_fail", odd))
  const toClient = yield* Queue.takeAll(client.heard)
  yield* client.connection.close
  assert.isUndefined(yield* client.ended)
  return { toAgent, answers, toClient }
})

interface Line {
  readonly timestamp: string
  readonly direction: string
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: unknown }
}

const texts = (folder: string, name: string): ReadonlyArray<string> =>
  readFileSync(join(folder, name), "utf8").trimEnd().split("\n")

const lines = (folder: string, name: string): ReadonlyArray<Line> =>
  texts(folder, name).map((text): Line => JSON.parse(text))

const methods = (some: ReadonlyArray<Line>) => some.map(({ message }) => message.method ?? "answer")

const refusal = (component: BuiltInComponent, ...args: ReadonlyArray<string>): string =>
  Result.getOrThrow(Result.flip(component.make({ args, log: () => {} })))

for (const { make, title } of ways)
  describe(`tee, ${title}`, () => {
    it.live("changes nothing of what passes", () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const without = yield* conversation()
        assert.deepStrictEqual(yield* conversation(yield* make(tee, ["--log-path", folder])), without)
      })
    )

    it.live("writes every message once, as a line of JSON with its time and direction", () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "made/by/tee")
        yield* conversation(yield* make(tee, ["--log-path", folder]))
        const input = lines(folder, "log_in.txt")
        const output = lines(folder, "log_out.txt")
        assert.deepStrictEqual(methods(input), ["proxy/initialize", "_said", "_bare", "_talk", "answer", "_fail"])
        assert.deepStrictEqual(methods(output), ["answer", "session/update", "_ask", "answer", "answer"])
        assert.include(texts(folder, "log_in.txt")[1], `"message":{"jsonrpc":"2.0","method":"_said","params":${odd}}}`)
        for (const { timestamp } of [...input, ...output])
          assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.isTrue(input.every(({ direction }) => direction === "downstream"))
        assert.isTrue(output.every(({ direction }) => direction === "upstream"))
        // An answer has the id of its request, though ids differ from hop to hop.
        assert.strictEqual(output[3]?.message.id, input[3]?.message.id)
        assert.strictEqual(input[4]?.message.id, output[2]?.message.id)
      })
    )

    it.live("leaves out a direction, and adds to what is there", () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        writeFileSync(join(folder, "log_out.txt"), "before\n")
        yield* conversation(yield* make(tee, ["--log-path", folder, "--no-log-input"]))
        assert.deepStrictEqual(readdirSync(folder), ["log_out.txt"])
        assert.lengthOf(texts(folder, "log_out.txt"), 6)
        yield* conversation(yield* make(tee, ["--log-path", folder, "--no-log-output"]))
        assert.lengthOf(texts(folder, "log_out.txt"), 6)
        assert.lengthOf(texts(folder, "log_in.txt"), 6)
        assert.strictEqual(statSync(join(folder, "log_in.txt")).mode & 0o777, 0o600)
      })
    )

    it.live("passes everything on when its files can't be written, and says so", () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        writeFileSync(join(folder, "elsewhere"), "")
        symlinkSync(join(folder, "elsewhere"), join(folder, "log_in.txt"))
        const said: Array<string> = []
        const without = yield* conversation()
        const component = yield* make(tee, ["--log-path", folder], (line) => void said.push(line))
        assert.deepStrictEqual(yield* conversation(component), without)
        assert.strictEqual(readFileSync(join(folder, "elsewhere"), "utf8"), "")
        assert.lengthOf(said, 1)
        assert.match(said[0] ?? "", /log_in\.txt is not written: .+\. Messages still pass\.$/)
      })
    )

    it.live("stands first and last in a chain", () =>
      Effect.gen(function* () {
        const [first, last] = [yield* temporaryFolder, yield* temporaryFolder]
        const without = yield* conversation()
        const both = yield* conversation(
          { ...(yield* make(tee, ["--log-path", first])), name: "first tee" },
          { ...(yield* make(tee, ["--log-path", last])), name: "last tee" }
        )
        assert.deepStrictEqual(both, without)
        for (const name of ["log_in.txt", "log_out.txt"])
          assert.deepStrictEqual(methods(lines(first, name)), methods(lines(last, name)))
      })
    )
  })

describe("tee's arguments", () => {
  it("are refused with a sentence, if they are others", () => {
    assert.match(refusal(tee, "--log-paht", "x"), /--log-paht/)
    assert.match(refusal(tee, "--log-path"), /argument missing/)
    assert.strictEqual(refusal(tee, "--log-path", ""), "--log-path needs a folder.")
    assert.match(refusal(tee, "word"), /word/)
  })
})
