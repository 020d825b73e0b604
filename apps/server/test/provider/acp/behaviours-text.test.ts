/** Text as agents stream it, and what people read of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as RepeatedText from "../../../src/provider/acp/projection/RepeatedText.ts"
import { cost } from "../../support/Cost.ts"
import { play, scripted, seen } from "../../support/ScriptedAgent.ts"

/** What is read of a message that comes in these pieces. */
const readOf = (...pieces: ReadonlyArray<string>): string => {
  const text = RepeatedText.make()
  return [...pieces.map((piece) => RepeatedText.take(text, piece)), RepeatedText.rest(text)].join("")
}

const inPieces = (text: string, size: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

const partial = "I looked at the tests, and the second of them fai"
const whole = `${partial}ls: its clock stands still.`

describe("text that is streamed again under its id", () => {
  it.each([1, 3, 7, 1000])("is read once, in pieces of %i as well", (size) => {
    for (const again of [1, 4, 1000]) {
      assert.strictEqual(readOf(...inPieces(partial, size), ...inPieces(whole, again)), whole)
      const attempts = [partial, whole.slice(0, 30), partial].flatMap((attempt) => inPieces(attempt, size))
      assert.strictEqual(readOf(...attempts, ...inPieces(whole, again)), whole)
    }
  })

  it("takes time that grows with its length, however small its pieces are", () => {
    const take = (length: number) => {
      const [spaces, numbers] = [
        " ".repeat(length),
        Array.from({ length: length / 8 }, (_, index) => `word${index}`).join(" ")
      ]
      assert.strictEqual(readOf(...inPieces(spaces, 1)), spaces)
      assert.strictEqual(readOf(numbers, ...inPieces(numbers, 1), " end"), `${numbers} end`)
    }
    // One of them alone is over before it can be measured.
    const many = (length: number) => cost(() => Array.from({ length: 20 }, () => take(length)))
    assert.isBelow(many(32 * 1024), 40 * many(4 * 1024))
  })

  it("takes time that grows with its length, also where its pieces come close to repeating it", () => {
    const read = (...pieces: ReadonlyArray<string>) =>
      cost(() => {
        const text = RepeatedText.make()
        RepeatedText.take(text, `a${"b".repeat(99)}`)
        for (let count = 0; count < 120_000; count += 1) for (const piece of pieces) RepeatedText.take(text, piece)
      })
    // In microseconds, as below: the clock of a thread may be a coarse one.
    assert.isBelow(read("a", "x"), Math.max(400_000, 30 * read("c", "x")))
    const nearly = `${"a".repeat(100_000)}b${"a".repeat(100_000)}`
    assert.isBelow(
      cost(() => RepeatedText.isPeriodic(nearly)),
      100_000
    )
  })

  it.each([
    ["", false],
    ["a", false],
    ["aa", true],
    ["abab", true],
    ["aba", false],
    ["abcabcabcabcabcabc", true],
    ["abcabcabcabcabcabd", false]
  ])("%j is one piece said several times: %s", (said, is) => assert.strictEqual(RepeatedText.isPeriodic(said), is))

  it("is shown as soon as it goes beyond what stands", () => {
    const text = RepeatedText.make()
    assert.deepEqual(
      [partial, "I looked", " at the tests, and the second of them fails", ": its"].map((piece) =>
        RepeatedText.take(text, piece)
      ),
      [partial, "", "ls", ": its"]
    )
  })

  it.each([
    ["what takes another turn", partial, "I looked at the docs as well"],
    ["what ends before it has caught up", partial, "I looked at the"],
    ["a line that comes twice", "The quick brown fox jumps over it.\n", "The quick brown fox jumps over it.\n"],
    ["a line of dashes", "-".repeat(40), "-".repeat(40)],
    ["a word that comes again and again", "abc".repeat(20), "abc".repeat(20)],
    ["a short beginning", "ha", "ha"],
    ["what is begun, and then once more, and takes another turn", `${partial}ls.`, partial, "I", "s that so?"],
    ["what is too long to be watched", `${"word ".repeat(60_000)}end`, `${"word ".repeat(60_000)}end`]
  ])("nothing is lost of %s", (_, ...pieces) => assert.strictEqual(readOf(...pieces), pieces.join("")))

  it.prop(
    "nothing is lost of texts that hold no literal repetition of their whole beginning",
    { pieces: Schema.Array(Schema.Literals(["a", "b ", "lorem ipsum ", "dolor", "\n", "sit amet, ", "."])) },
    ({ pieces }) => {
      const text = pieces.join("")
      for (let size = 1; size < 9; size += 3) {
        const read = readOf(...inPieces(text, size))
        // Text may be left out only if it repeats the text before it.
        if (read !== text) assert.isTrue(repeatsItself(text), text)
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it.live("is one message in the transcript, also where a thought came between, and the turn ends as it should", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const end = yield* play(
        agent,
        "t1",
        { text: partial, messageId: "m1" },
        { thought: "That failed. Once more.", messageId: "m2" },
        { text: whole.slice(0, 20), messageId: "m1" },
        { text: whole.slice(20), messageId: "m1" },
        { text: "Another message.", messageId: "m3" }
      )
      assert.strictEqual(end.outcome, "completed")
      assert.deepEqual(yield* seen(agent), [
        `says: ${partial}`,
        "thinks: That failed. Once more.",
        `says: ${whole.slice(partial.length)}`,
        "says: Another message."
      ])
    })
  )

  it.live(
    "[61] one id is one message, another id is another, and without ids they go on until something comes between",
    () =>
      Effect.gen(function* () {
        const agent = yield* scripted()
        yield* agent.start()
        yield* play(
          agent,
          "t1",
          { text: "one, ", messageId: "a" },
          { text: "still one", messageId: "a" },
          { text: "two", messageId: "b" },
          { thought: "hm" },
          { text: "three, " },
          { text: "still three" }
        )
        const transcript = yield* seen(agent)
        assert.deepEqual(transcript, ["says: one, still one", "says: two", "thinks: hm", "says: three, still three"])
      })
  )
})

/** Whether some beginning of the text comes twice in a row. */
const repeatsItself = (text: string): boolean => {
  for (let length = 24; length * 2 <= text.length; length++) {
    if (text.startsWith(text.slice(0, length), length)) return true
  }
  // Attempts that were given up count as well.
  return text.indexOf(text.slice(0, 24), 1) !== -1
}
