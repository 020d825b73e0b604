/** What the rules looked at is judged from the record as it was judged then. */
import { assert, describe, it } from "@effect/vitest"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Decision from "@signalbox/permission/rules/Decision"
import * as RuleSet from "@signalbox/permission/rules/RuleSet"
import * as Effect from "effect/Effect"
import * as RecordedSubject from "../../src/audit/RecordedSubject.ts"
import * as Judging from "../../src/rules/Judging.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"

const lines = [
  "",
  "ls src/*.ts ~/x && rm -r build > out.txt < in.txt",
  "for f in *; do cat $f; done; sudo make",
  "git -C ../other log | head -3; cd /etc && cat passwd",
  "$(curl x.example) ${HOME} $? a{b,c} ~/.ssh/id_rsa .git/hooks/pre-commit"
]

const placed = (effect: "allow" | "deny", match: PlacedRule["match"]): PlacedRule => ({
  effect,
  match,
  source: "user",
  file: "/rules.json",
  line: 1,
  number: 1,
  folder: undefined
})

const rules = [
  placed("allow", { command: "ls **" }),
  placed("deny", { path: "**/out.txt" }),
  placed("allow", { command: "git **" })
]

describe("a recorded request", () => {
  it.effect("is read as it was written, and judged alike", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("project")
      for (const line of lines) {
        const judged = yield* Judging.command(rules, { agent: "cursor", cwd, own: [] }, line)
        const { subject } = judged
        assert.isDefined(subject)
        const read = RecordedSubject.read(RecordedSubject.textOf(subject) ?? "")
        assert.deepStrictEqual(read, subject, line)
        if (read === undefined) continue
        const again = Decision.of(RuleSet.make(rules, read.place, Judging.real), read)
        assert.deepStrictEqual(again, judged, line)
      }
    })
  )

  it("is not judged from what is too long, of another form, or more than is known", () => {
    const place = { project: "/a", home: "/b", now: 0 }
    const subject = { agent: "cursor", kind: "execute", paths: [], obstacles: [], place }
    assert.deepStrictEqual(RecordedSubject.read(JSON.stringify(subject)), subject)
    const other = [{ ...subject, more: 1 }, { ...subject, paths: undefined }, [], "x"]
    for (const text of ["", "{", ...other.map((value) => JSON.stringify(value))])
      assert.isUndefined(RecordedSubject.read(text), text)
    const long = { ...subject, obstacles: [{ text: "x".repeat(70_000), why: "" }] }
    assert.isUndefined(RecordedSubject.textOf(long))
  })
})
