/** The chain of the audit log: it holds together as it was written, and shows each change by hand. */
import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "@signalbox/contracts/Ids"
import * as Schema from "effect/Schema"
import * as AuditChain from "../../src/audit/AuditChain.ts"
import * as AuditProof from "../../src/audit/AuditProof.ts"
import { decision } from "./support/Drafts.ts"

const chained = (titles: ReadonlyArray<string>): ReadonlyArray<AuditChain.Link> => {
  const links: Array<AuditChain.Link> = []
  for (const title of titles)
    links.push(AuditChain.next(links.at(-1) ?? AuditChain.start, decision({ title, requestId: RequestId.make(title) })))
  return links
}

const proved = (links: ReadonlyArray<AuditChain.Link>, kept?: string): AuditProof.Proof => {
  const prover = AuditProof.make(kept)
  links.forEach(prover.see)
  return prover.proof()
}

const place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const inputs = {
  titles: Schema.Array(Schema.String).check(Schema.isMinLength(2), Schema.isMaxLength(12)),
  which: place,
  where: place,
  put: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(3))
}

describe("the chain", () => {
  it.prop("holds together as it was written, and over lines of text", { titles: inputs.titles }, ({ titles }) => {
    const links = chained(titles)
    assert.isUndefined(proved(links).first)
    const read = links.map((link) => AuditChain.linkOf(AuditChain.lineOf(link), (line) => line))
    assert.deepStrictEqual(read, [...links])
  })

  it.prop("names the first entry of which any character was changed", inputs, ({ put, titles, where, which }) => {
    const links = chained(titles)
    const index = which % links.length
    const changed = links.map((link, at) => {
      const start = where % link.text.length
      const text = link.text.slice(0, start) + put + link.text.slice(start + put.length)
      return at === index ? { ...link, text } : link
    })
    const isSame = changed[index]?.text === links[index]?.text
    assert.strictEqual(proved(changed).first?.sequence, isSame ? undefined : index + 1)
  })

  it("shows what is missing, swapped, put in or written anew", () => {
    const links = chained(["a", "b", "c", "d"])
    const [a, b, c, d] = links
    if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
    const first = (...some: ReadonlyArray<AuditChain.Link>) => proved(some).first
    assert.deepStrictEqual(first(a, c, d), { sequence: 3, what: "Entry 2 is missing before it." })
    assert.deepStrictEqual(first(c, d), { sequence: 3, what: "Entries 1 to 2 are missing before it." })
    assert.deepStrictEqual(first(a, c, b, d)?.sequence, 3)
    assert.deepStrictEqual(first(a, b, b), { sequence: 2, what: "It is out of order: entry 3 has its place here." })
    const moved = { ...c, sequence: 2 }
    assert.deepStrictEqual(first(a, moved), { sequence: 2, what: "It was moved: it was written as entry 3." })
    const forged = AuditChain.next(AuditChain.start, decision({ title: "forged" }))
    assert.include(first(forged, b)?.what, "It does not continue entry 1")
    const foreign = AuditChain.next({ sequence: 4, hash: "f".repeat(64) }, decision())
    assert.include(first(a, b, c, d, foreign)?.what, "It does not continue entry 4")
    const text = "no entry"
    assert.deepStrictEqual(first({ sequence: 1, hash: AuditChain.hashOf(text), text }), {
      sequence: 1,
      what: "It is no entry: it can't be read."
    })
  })

  it("shows a cut end only to who has kept a hash", () => {
    const links = chained(["a", "b", "c"])
    const kept = links[2]?.hash
    assert.isUndefined(proved(links.slice(0, 2)).first)
    assert.isUndefined(proved(links.slice(0, 2), kept).kept)
    assert.strictEqual(proved(links, kept).kept, 3)
    assert.strictEqual(proved(links, links[0]?.hash).kept, 1)
  })

  it("takes no line that reads otherwise than it is proved", () => {
    const [link] = chained(["a"])
    if (link === undefined) return assert.fail()
    const line = AuditChain.lineOf(link)
    const twice = line.replace('"effect":"allow"', '"effect":"deny","effect":"allow"')
    assert.notStrictEqual(twice, line)
    for (const text of [twice, ` ${line}`, `${line}}`, "", "[]", "[".repeat(100_000), '{"a":'.repeat(50_000)])
      assert.isUndefined(AuditChain.linkOf(text, (one) => one))
  })
})
