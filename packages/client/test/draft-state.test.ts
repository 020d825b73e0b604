/** Two texts of one draft: which one is shown, and that neither is lost silently. */
import { PageId } from "@signalbox/contracts/Documents"
import type { Draft } from "@signalbox/contracts/Draft"
import { TurnId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as DraftState from "../src/DraftState.ts"
import { DraftWorld } from "./support/DraftWorld.ts"

const page = PageId.make("this page")
const other = PageId.make("another page")
const turnId = TurnId.make("turn")

const content = (text: string) => ({ ...DraftState.nothing, text })

const draft = (revision: number, text: string, more: Partial<Draft> = {}): Draft => ({
  ...content(text),
  revision,
  savedAt: revision,
  page: other,
  sentAs: [],
  ...more
})

const quietly = { isNewest: false, typing: false }

/** A page that has saved a text as revision 1. */
const saved = (text: string) =>
  DraftState.saved(DraftState.edited(DraftState.initial(page), content(text)), 1, content(text), false)

const textOf = ({ content: { text } }: DraftState.DraftState) => text

describe("a draft that another page changes", () => {
  it("is taken over while nothing is unsaved here", () => {
    const after = DraftState.arrived(saved("one"), draft(2, "one and two"), quietly)
    assert.strictEqual(textOf(after), "one and two")
    assert.isUndefined(after.other)
    assert.isUndefined(DraftState.toSave(after))
  })

  it("waits while somebody types here, and comes into the field at the next pause", () => {
    const while_ = DraftState.arrived(saved("one"), draft(2, "two"), { isNewest: false, typing: true })
    assert.strictEqual(textOf(while_), "one")
    assert.strictEqual(textOf(DraftState.paused(while_)), "two")
  })

  it("is offered where both have changed, and nothing is saved until somebody has chosen", () => {
    const both = DraftState.arrived(DraftState.edited(saved("one"), content("mine")), draft(2, "theirs"), quietly)
    assert.strictEqual(textOf(both), "mine")
    assert.strictEqual(both.other?.from, "page")
    assert.isUndefined(DraftState.toSave(both))
    assert.strictEqual(textOf(DraftState.takeOther(both)), "theirs")
    assert.isUndefined(DraftState.toSave(DraftState.takeOther(both)))
    assert.deepStrictEqual(DraftState.toSave(DraftState.keepMine(both)), { base: 2, content: content("mine") })
  })

  it("is offered as it was last, however the pieces arrive", () => {
    const mine = DraftState.edited(saved("one"), content("mine"))
    const both = DraftState.arrived(
      DraftState.arrived(mine, draft(3, "their last"), quietly),
      draft(2, "theirs"),
      quietly
    )
    assert.strictEqual(textOf(DraftState.takeOther(both)), "their last")
  })

  it("is no question where only one has words, or both have the same", () => {
    const mine = DraftState.edited(saved("one"), content("mine"))
    const emptied = DraftState.arrived(mine, draft(2, ""), quietly)
    assert.deepStrictEqual(DraftState.toSave(emptied), { base: 2, content: content("mine") })
    const cleared = DraftState.edited(saved("one"), content(""))
    assert.strictEqual(textOf(DraftState.arrived(cleared, draft(2, "theirs"), quietly)), "theirs")
    const same = DraftState.arrived(mine, draft(2, "mine"), quietly)
    assert.isUndefined(same.other)
    assert.isUndefined(DraftState.toSave(same))
  })
})

describe("a draft whose answer was lost", () => {
  it("is known again as the page's own when the server shows it", () => {
    const more = DraftState.edited(DraftState.edited(DraftState.initial(page), content("sav")), content("saved"))
    const again = DraftState.arrived(more, draft(1, "sav", { page }), quietly)
    assert.isUndefined(again.other)
    assert.deepStrictEqual(DraftState.toSave(again), { base: 1, content: content("saved") })
  })

  it("is no text of another page after a reload", () => {
    const kept = DraftState.toKeep(DraftState.edited(saved("one"), content("one more")))
    assert.isDefined(kept)
    if (kept === undefined) return
    const next = PageId.make("after the reload")
    const reloaded = DraftState.found(DraftState.initial(next), [{ ...kept, page }])
    const shown = DraftState.arrived(reloaded, draft(2, "one mo", { page }), quietly)
    assert.strictEqual(textOf(shown), "one more")
    assert.isUndefined(shown.other)
  })
})

describe("a draft whose save is answered late", () => {
  it("is known to have been sent or changed by another page since", () => {
    const mine = DraftState.edited(DraftState.initial(page), content("mine"))
    const emptied = DraftState.arrived(mine, draft(2, "", { sentAs: [turnId] }), quietly)
    assert.strictEqual(textOf(DraftState.saved(emptied, 1, content("mine"), false)), "")
    const changed = DraftState.arrived(mine, draft(2, "mine and theirs"), quietly)
    const after = DraftState.saved(changed, 1, content("mine"), false)
    assert.strictEqual(textOf(after), "mine and theirs")
    assert.isUndefined(after.other)
  })
})

describe("a draft that is sent", () => {
  it("leaves when the server has taken it, whichever word comes first", () => {
    const sending = DraftState.sending(saved("say it"), turnId)
    assert.isUndefined(DraftState.toSave(DraftState.edited(sending, content("say it"))))
    const emptied = draft(2, "", { sentAs: [turnId] })
    for (const after of [
      DraftState.arrived(DraftState.taken(sending, turnId), emptied, quietly),
      DraftState.taken(DraftState.arrived(sending, emptied, quietly), turnId)
    ]) {
      assert.strictEqual(textOf(after), "")
      assert.strictEqual(after.base, 2)
      assert.isUndefined(DraftState.toSave(after))
    }
  })

  it("stays where the server has not taken it", () => {
    const back = DraftState.notTaken(DraftState.sending(saved("say it"), turnId))
    assert.strictEqual(textOf(back), "say it")
  })

  it("doesn't come back after a reload before the answer, saved or not", () => {
    for (const state of [saved("say it"), DraftState.edited(saved("say"), content("say it"))]) {
      const kept = DraftState.toKeep(DraftState.sending(state, turnId))
      assert.isDefined(kept)
      if (kept === undefined) return
      const reloaded = DraftState.found(DraftState.initial(PageId.make("next")), [{ ...kept, page }])
      assert.strictEqual(textOf(reloaded), "say it")
      const after = DraftState.arrived(reloaded, draft(2, "", { sentAs: [turnId] }), quietly)
      assert.strictEqual(textOf(after), "")
    }
  })

  it("keeps what was added to it meanwhile", () => {
    const added = DraftState.edited(DraftState.sending(saved("say it"), turnId), content("say it\n\nand this"))
    assert.strictEqual(textOf(DraftState.taken(added, turnId)), "say it\n\nand this")
  })
})

describe("a server that has gone back", () => {
  it("to an earlier text offers that, and the page keeps its own", () => {
    const later = DraftState.saved(DraftState.edited(saved("one"), content("two")), 2, content("two"), false)
    assert.strictEqual(DraftState.arrived(later, draft(1, "one"), quietly), later)
    const back = DraftState.arrived(later, draft(1, "one"), { isNewest: true, typing: false })
    assert.strictEqual(textOf(back), "two")
    assert.strictEqual(back.other?.from, "server")
    assert.deepStrictEqual(DraftState.toSave(DraftState.keepMine(back)), { base: 1, content: content("two") })
  })

  it("to nothing gets the page's text again", () => {
    const back = DraftState.arrived(saved("one"), draft(0, ""), { isNewest: true, typing: false })
    assert.deepStrictEqual(DraftState.toSave(back), { base: 0, content: content("one") })
  })
})

describe("texts that closed pages have left", () => {
  const left = (text: string, name: string, isUnsaved: boolean): DraftState.FoundDraft => ({
    content: content(text),
    base: 0,
    pages: [PageId.make(name)],
    isUnsaved,
    page: PageId.make(name)
  })

  it("come back, the latest in the field and others one by one; what the server has is no question", () => {
    const found = DraftState.found(DraftState.initial(page), [
      left("latest", "a", true),
      left("earlier", "b", true),
      left("in the server", "c", false),
      left("first", "d", true)
    ])
    assert.strictEqual(textOf(found), "latest")
    assert.deepStrictEqual(DraftState.toSave(found)?.content, content("latest"))
    const next = DraftState.keepMine(found)
    assert.deepInclude(found.other, { from: "browser", content: content("earlier") })
    assert.deepInclude(next.other, { from: "browser", content: content("first") })
    const taken = DraftState.takeOther(next)
    assert.strictEqual(textOf(taken), "first")
    assert.isUndefined(taken.other)
  })

  it("wait for a choice while another page's text is offered", () => {
    const found = DraftState.found(DraftState.initial(page), [left("latest", "a", true), left("earlier", "b", true)])
    const both = DraftState.arrived(found, draft(3, "theirs"), quietly)
    assert.strictEqual(both.other?.from, "page")
    assert.deepInclude(DraftState.keepMine(both).other, { from: "browser", content: content("earlier") })
  })
})

describe("two pages, with saves, losses of connection, reloads and prompts in any order", () => {
  it("lose no text silently, and send none twice", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const world = new DraftWorld(seed)
      for (let step = 0; step < 120; step += 1) {
        world.step()
        assert.deepStrictEqual(world.lost(), [], `seed ${seed}, step ${step}: ${world.history()}`)
      }
      world.settle()
      assert.deepStrictEqual(world.lost(), [], `lost, seed ${seed}, settled: ${world.history()}`)
      assert.deepStrictEqual(world.apart(), [], `apart, seed ${seed}, settled: ${world.history()}`)
      assert.deepStrictEqual(world.doubled(), [], `doubled, seed ${seed}, settled: ${world.history()}`)
    }
  })
})
