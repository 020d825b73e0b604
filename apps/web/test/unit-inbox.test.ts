/** The rows of the inbox, the answers that they share, and what stays open while others come and go. */
import { assert, describe, it } from "@effect/vitest"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { RequestId, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { answerFor, commonOptions, rowsOf } from "../src/inbox/inboxRows.ts"
import * as InboxState from "../src/inbox/inboxState.ts"
import { noteOf } from "../src/inbox/inboxWords.ts"

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

const yes = { optionId: "y", name: "Allow once", kind: "allow_once" }
const no = { optionId: "n", name: "Reject", kind: "reject_once" }

const approval = (id: string, at: number, changes: Partial<Approval> = {}): Approval => ({
  type: "approval",
  requestId: RequestId.make(id),
  tool: {
    toolCallId: `call ${id}`,
    title: "List",
    kind: "execute",
    status: "pending",
    subject: { type: "command", command: "ls" },
    diffs: [],
    content: [],
    locations: [],
    rawInput: '{"command":"ls"}',
    startedAt: at
  },
  options: [yes, no],
  digest: "d",
  at,
  ...changes
})

const thread = (id: string, ...requests: ReadonlyArray<AgentRequest>): WaitingThread => ({
  threadId: ThreadId.make(id),
  title: id,
  provider: { id: ProviderId.make("cursor"), kind: "acp", name: "Cursor", simulated: false },
  cwd: "/repo",
  requests: requests.map((request) => ({
    requestId: request.requestId,
    type: request.type,
    at: request.at,
    answered: false,
    request
  }))
})

const namesIn = (threads: ReadonlyArray<WaitingThread>) =>
  rowsOf(threads).map(({ members }) => members.map(({ waiting }) => waiting.requestId).join(" "))

describe("the rows of the inbox", () => {
  it("join only requests that are equal in all that is shown of them", () => {
    const one = thread("one", approval("a", 1))
    const tool = approval("b", 2).tool
    const others: ReadonlyArray<Partial<Approval>> = [
      { digest: "e" },
      { reason: "because" },
      { tool: { ...tool, title: "Other words" } },
      { tool: { ...tool, locations: [{ path: "/etc" }] } },
      { links: [{ path: "a", leadsTo: "/b" }] },
      { judgement: { effect: "ask", why: "No rule matches.", inspectable: true, commands: [], paths: [] } }
    ]
    assert.deepStrictEqual(namesIn([one, thread("two", approval("b", 2))]), ["a b"])
    for (const change of others)
      assert.deepStrictEqual(
        namesIn([one, thread("two", approval("b", 2, change))]),
        ["b", "a"],
        JSON.stringify(change)
      )
    const { digest: _, ...unbound } = approval("b", 2)
    assert.deepStrictEqual(
      namesIn([thread("one", { ...unbound, requestId: RequestId.make("a") }), thread("two", unbound)]).length,
      2
    )
    const { rawInput: __, ...silent } = tool
    const silentOnes = ["a", "b"].map((id) => thread(id, approval(id, 1, { tool: silent })))
    assert.strictEqual(namesIn(silentOnes).length, 2, "nobody knows what they are about")
    assert.deepStrictEqual(namesIn([one, { ...thread("two", approval("b", 2)), cwd: "/other" }]), ["b", "a"])
  })

  it("offer the answers of all, and give each request its own", () => {
    const own = { ...no, optionId: "nein" }
    const [row] = rowsOf([
      thread("one", approval("a", 1)),
      thread("two", approval("b", 2, { options: [own, { ...yes, name: "Allow it" }] }))
    ])
    assert.isDefined(row)
    const [first, second] = row.members
    assert.isDefined(second)
    assert.deepStrictEqual(commonOptions(row.members), [no])
    assert.deepStrictEqual(answerFor(second, first, { type: "option", optionId: "n", digest: "d" }), {
      type: "option",
      optionId: "nein",
      digest: "d"
    })
    assert.isUndefined(answerFor(second, first, { type: "option", optionId: "y", digest: "d" }))
    // Which of two options with one name is meant, nobody can say.
    const twice = approval("b", 2, { options: [no, { ...no, optionId: "n2" }] })
    assert.deepStrictEqual(namesIn([thread("one", approval("a", 1)), thread("two", twice)]), ["b", "a"])
  })
})

describe("the note of a row", () => {
  const noteFor = (changes: Partial<Approval>) => {
    const [row] = rowsOf([thread("one", approval("a", 1, changes))])
    return row && noteOf(row)
  }
  const { tool } = approval("a", 1)
  const edit = (path: string): Partial<Approval> => ({
    tool: { ...tool, kind: "edit", rawInput: JSON.stringify({ path }), diffs: [{ path, oldText: "a", newText: "b" }] }
  })

  it("warns of what the card marks, though the rules have no word for it", () => {
    assert.deepStrictEqual(noteFor(edit("/repo/a")), { note: "No rule matches" })
    assert.deepStrictEqual(noteFor(edit("/etc/hosts")), { note: "Outside the project", isWarning: true })
    assert.deepStrictEqual(noteFor(edit("~/.profile")), { note: "Maybe outside the project", isWarning: true })
    const unknown: Partial<Approval> = { tool: { ...tool, kind: "other", rawInput: '{"payload":"c2VjcmV0"}' } }
    assert.deepStrictEqual(noteFor(unknown), { note: "Can’t be inspected", isWarning: true })
    const elsewhere = { ...tool, rawInput: '{"command":"ls","cwd":"/etc"}' }
    assert.deepStrictEqual(noteFor({ tool: elsewhere }), { note: "Outside the project", isWarning: true })
  })
})

const ids = (...names: ReadonlyArray<string>) => names.map((name) => RequestId.make(name))
const a = thread("a", approval("a", 1, { digest: "1" }))
const b = thread("b", approval("b", 2, { digest: "2" }))
const c = thread("c", approval("c", 3, { digest: "3" }))

describe("the open request", () => {
  it("stays while others come, and goes on to the next after an answer", () => {
    const begun = InboxState.initial([a, b])
    assert.deepStrictEqual(begun.ids, ids("b"))
    const more = InboxState.withThreads(begun, [a, b, c])
    assert.deepStrictEqual([more.ids, more.turn], [ids("b"), begun.turn])
    const sent = InboxState.answered(InboxState.answering(more, ids("b")), ids("b"))
    assert.deepStrictEqual([sent.ids, sent.turn], [ids("a"), begun.turn + 1])
    // The list hears of it in either order, and nothing is left out.
    const heard = InboxState.withThreads(InboxState.answering(more, ids("b")), [a, c])
    assert.deepStrictEqual(heard.ids, ids("a"))
    assert.strictEqual(InboxState.answered(heard, ids("b")), heard)
  })

  it("is followed by another only after a pause, if it is gone by itself", () => {
    const gone = InboxState.withThreads(InboxState.initial([a, b]), [a])
    assert.isUndefined(gone.current)
    assert.include(gone.notice, "in b is no longer open")
    const meanwhile = InboxState.withThreads(gone, [a, c])
    assert.isUndefined(meanwhile.current)
    const resumed = InboxState.resume(meanwhile)
    assert.deepStrictEqual([resumed.ids, resumed.notice], [ids("c"), gone.notice])
    const elsewhere = { ...b, requests: b.requests.map((request) => ({ ...request, answered: true })) }
    assert.include(InboxState.withThreads(InboxState.initial([a, b]), [a, elsewhere]).notice, "was answered elsewhere")
  })

  it("keeps those of its row that are left", () => {
    const one = thread("one", approval("x", 1))
    const two = thread("two", approval("y", 2))
    const both = InboxState.initial([one, two])
    assert.deepStrictEqual(both.ids, ids("x", "y"))
    const left = InboxState.withThreads(both, [two])
    assert.deepStrictEqual([left.ids, left.turn, left.notice], [ids("y"), both.turn, undefined])
    // What has changed is another request now. The card goes with the one that was first.
    const changed = thread("one", approval("x", 1, { digest: "other", revision: 1 }))
    assert.deepStrictEqual(InboxState.withThreads(both, [changed, two]).ids, ids("x"))
  })

  it("does not hide an answer that was not taken, whichever comes first", () => {
    const sent = InboxState.answering(InboxState.initial([a, b]), ids("b"))
    // The card says it.
    assert.isUndefined(InboxState.refused(sent, ids("b"), "It is answered.").notice)
    // The card is gone: another page was faster.
    const late = InboxState.refused(InboxState.withThreads(sent, [a]), ids("b"), "It is answered.")
    assert.deepStrictEqual([late.ids, late.notice], [ids("a"), "An answer was not taken. It is answered."])
  })

  it("is never one that people have left out of a common answer", () => {
    const one = thread("one", approval("x", 1))
    const two = thread("two", approval("y", 2))
    const begun = InboxState.include(InboxState.initial([one, two]), RequestId.make("x"), false)
    // The other one goes: a key that was meant for it must not answer this one.
    const gone = InboxState.withThreads(begun, [one])
    assert.deepStrictEqual([gone.current, gone.isPaused], [undefined, true])
    assert.include(gone.notice, "in two is no longer open")
    // It is answered here: the one that was left out has a card of its own, in whichever order the page hears of it.
    const sent = InboxState.answering(begun, ids("y"))
    const heard = InboxState.withThreads(sent, [one])
    const told = InboxState.answered(sent, ids("y"))
    for (const after of [heard, told, InboxState.answered(heard, ids("y")), InboxState.withThreads(told, [one])])
      assert.deepStrictEqual([after.ids.includes(RequestId.make("x")), after.turn, after.notice], [true, 2, undefined])
    // Another row comes first.
    const further = InboxState.withThreads(InboxState.answering(begun, ids("y")), [one, c])
    assert.deepStrictEqual(further.ids, ids("c"))
    // None is chosen, and one is left: its card is a new one.
    const none = InboxState.include(begun, RequestId.make("y"), false)
    const left = InboxState.withThreads(none, [one])
    assert.deepStrictEqual([left.ids, left.turn, [...left.chosen]], [ids("x"), 2, ids("x")])
    // What comes later is not chosen.
    assert.deepStrictEqual([...InboxState.withThreads(InboxState.initial([one]), [one, two]).chosen], ids("x"))
  })
})
