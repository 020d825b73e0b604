/** A server with one draft, and two pages. Chance decides when each message arrives. */
import { PageId } from "@signalbox/contracts/Documents"
import { type Draft, type DraftContent, mostSentAs, type SentDraft } from "@signalbox/contracts/Draft"
import { TurnId } from "@signalbox/contracts/Ids"
import * as DraftState from "../../src/DraftState.ts"

type Request =
  | { readonly type: "save"; readonly base: number; readonly content: DraftContent }
  | { readonly type: "send"; readonly turnId: TurnId; readonly content: DraftContent; readonly draft: SentDraft }

type Message =
  | { readonly type: "draft" }
  | { readonly type: "saved"; readonly revision: number; readonly content: DraftContent }
  | { readonly type: "changed"; readonly base: number; readonly draft: Draft }
  | { readonly type: "taken"; readonly turnId: TurnId }

interface Page {
  id: PageId
  state: DraftState.DraftState
  connected: boolean
  isNewStream: boolean
  saving: boolean
  requests: Array<Request>
  messages: Array<Message>
  /** What its browser keeps for it. */
  kept: DraftState.KeptDraft | undefined
}

/** Numbers between 0 and 1 that are the same for each seed. */
const random = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const nobody: Draft = { ...DraftState.nothing, revision: 0, savedAt: 0, sentAs: [] }

export class DraftWorld {
  readonly #random: () => number
  readonly #pages: ReadonlyArray<Page>
  /** The text that each text was written over. */
  readonly #before = new Map<string, string>()
  /** Texts that somebody has deleted, or decided against. */
  readonly #dropped = new Set<string>()
  /** Prompts, and who pressed Send: two people may do that with one text at the same moment. */
  readonly #sent: Array<{ readonly text: string; readonly by: Page }> = []
  readonly #history: Array<string> = []
  #draft: Draft = nobody
  #names = 0

  constructor(seed: number) {
    this.#random = random(seed)
    this.#pages = [this.#newPage(), this.#newPage()]
  }

  history(): string {
    return this.#history.join(" · ")
  }

  /** Texts that were written, and are nowhere any more. */
  lost(): ReadonlyArray<string> {
    const known = new Set([...this.#dropped, ...this.#sent.map(({ text }) => text), this.#draft.text])
    for (const { kept, state } of this.#pages) {
      known.add(state.content.text)
      if (kept !== undefined) known.add(kept.content.text)
    }
    for (const text of known) {
      const before = this.#before.get(text)
      if (before !== undefined) known.add(before)
    }
    return [...this.#before.keys()].filter((text) => !known.has(text))
  }

  /** Pages that show another text than the server has. */
  apart(): ReadonlyArray<string> {
    return this.#pages.flatMap(({ state }) => (state.content.text === this.#draft.text ? [] : [state.content.text]))
  }

  /** Prompts that were sent twice, or are still there to be sent. */
  doubled(): ReadonlyArray<string> {
    return this.#sent.flatMap(({ by, text }, index) => {
      const first = this.#sent.findIndex((one) => one.text === text && one.by === by)
      return first !== index || text === this.#draft.text ? [text] : []
    })
  }

  step(): void {
    const page = this.#pick(this.#pages)
    const name = this.#pages.indexOf(page) === 0 ? "A" : "B"
    const act = this.#pick(this.#acts)
    this.#history.push(`${name} ${act.name}`)
    act.run(page)
    this.#keep(page)
  }

  /** Lets everything arrive, and everybody decide. */
  settle(): void {
    for (let round = 0; round < 20; round += 1)
      for (const page of this.#pages) {
        if (!page.connected) this.#connect(page)
        while (page.requests.length > 0) this.#serve(page)
        while (page.messages.length > 0) this.#hear(page)
        page.state = DraftState.paused(page.state)
        if (page.state.other !== undefined) this.#choose(page)
        this.#save(page)
        this.#keep(page)
      }
  }

  #newPage(): Page {
    const id = PageId.make(`page ${(this.#names += 1)}`)
    return {
      id,
      state: DraftState.initial(id),
      connected: false,
      isNewStream: false,
      saving: false,
      requests: [],
      messages: [],
      kept: undefined
    }
  }

  #pick<A>(from: ReadonlyArray<A>): A {
    const found = from[Math.floor(this.#random() * from.length)]
    if (found === undefined) throw new Error("There is nothing to choose from.")
    return found
  }

  #keep(page: Page): void {
    page.kept = DraftState.toKeep(page.state)
  }

  readonly #type = (page: Page): void => {
    const before = page.state.content.text
    const text = `text ${(this.#names += 1)}`
    if (before !== "") this.#before.set(text, before)
    else this.#before.set(text, text)
    page.state = DraftState.edited(page.state, { ...DraftState.nothing, text })
  }

  readonly #clear = (page: Page): void => {
    this.#drop(page.state.content.text)
    page.state = DraftState.edited(page.state, DraftState.nothing)
  }

  #drop(text: string): void {
    if (text !== "") this.#dropped.add(text)
  }

  readonly #save = (page: Page): void => {
    const wanted = DraftState.toSave(page.state)
    if (wanted === undefined || !page.connected || page.saving) return
    page.saving = true
    page.requests.push({ type: "save", ...wanted })
  }

  readonly #send = (page: Page): void => {
    const { content, sent } = page.state
    if (!page.connected || DraftState.isBlank(content) || sent !== undefined) return
    const turnId = TurnId.make(`turn ${(this.#names += 1)}`)
    const draft = DraftState.sentDraft(page.state)
    page.state = DraftState.sending(page.state, turnId)
    page.requests.push({ type: "send", turnId, content, draft })
  }

  readonly #serve = (page: Page): void => {
    const request = page.requests.shift()
    if (request === undefined) return
    if (request.type === "save") page.messages.push(this.#saveDraft(page, request))
    else {
      this.#take(page, request)
      page.messages.push({ type: "taken", turnId: request.turnId })
    }
  }

  #saveDraft(page: Page, { base, content }: Extract<Request, { readonly type: "save" }>): Message {
    if (this.#draft.revision !== base) return { type: "changed", base, draft: this.#draft }
    const { sentAs } = this.#draft
    this.#draft = { ...content, revision: base + 1, savedAt: 0, page: page.id, sentAs }
    this.#tell()
    return { type: "saved", revision: base + 1, content }
  }

  #take(by: Page, { content, draft, turnId }: Extract<Request, { readonly type: "send" }>): void {
    this.#sent.push({ text: content.text, by })
    const { page, revision } = this.#draft
    const sentAs = [turnId, ...this.#draft.sentAs].slice(0, mostSentAs)
    if (revision !== draft.revision && (page === undefined || !draft.pages.includes(page)))
      this.#draft = { ...this.#draft, sentAs }
    else this.#draft = { ...DraftState.nothing, revision: revision + 1, savedAt: 0, sentAs }
    this.#tell()
  }

  #tell(): void {
    for (const page of this.#pages) if (page.connected) page.messages.push({ type: "draft" })
  }

  readonly #hear = (page: Page): void => {
    const message = page.messages.shift()
    const typing = this.#random() < 0.3
    switch (message?.type) {
      case undefined:
        return
      case "draft":
        page.state = DraftState.arrived(page.state, this.#draft, { isNewest: page.isNewStream, typing })
        page.isNewStream = false
        return
      case "taken":
        page.state = DraftState.taken(page.state, message.turnId)
        return
      case "saved":
        page.saving = false
        page.isNewStream = false
        page.state = DraftState.saved(page.state, message.revision, message.content, typing)
        return
      case "changed":
        page.saving = false
        page.isNewStream = false
        page.state = DraftState.arrived(page.state, message.draft, {
          isNewest: message.draft.revision < message.base,
          typing
        })
    }
  }

  readonly #choose = (page: Page): void => {
    const { content, other } = page.state
    if (other === undefined) return
    const theirs = other.from === "browser" ? other.content : other.draft
    if (this.#random() < 0.5) {
      this.#drop(theirs.text)
      page.state = DraftState.keepMine(page.state)
    } else {
      this.#drop(content.text)
      page.state = DraftState.takeOther(page.state)
    }
  }

  /** The server goes on with what it had read, and nobody hears of it. */
  readonly #disconnect = (page: Page): void => {
    if (this.#random() < 0.5) while (page.requests.length > 0) this.#serve(page)
    // The client asks for a turn again on its next connection, as often as that breaks.
    page.requests = page.requests.filter(({ type }) => type === "send")
    const taken = page.messages.filter(({ type }) => type === "taken")
    page.messages = taken
    page.connected = false
    page.saving = false
  }

  readonly #connect = (page: Page): void => {
    if (page.connected) return
    page.connected = true
    page.isNewStream = true
    page.messages.unshift({ type: "draft" })
  }

  /** The page is closed without a last word, and opened again. A prompt that the server had not read is not sent. */
  readonly #reload = (page: Page): void => {
    this.#disconnect(page)
    const { kept } = page
    const before = page.id
    Object.assign(page, this.#newPage())
    if (kept !== undefined) page.state = DraftState.found(page.state, [{ ...kept, page: before }])
    this.#connect(page)
  }

  readonly #pause = (page: Page): void => {
    page.state = DraftState.paused(page.state)
  }

  readonly #acts: ReadonlyArray<{ readonly name: string; readonly run: (page: Page) => void }> = [
    { name: "types", run: this.#type },
    { name: "types", run: this.#type },
    { name: "clears", run: this.#clear },
    { name: "saves", run: this.#save },
    { name: "saves", run: this.#save },
    { name: "saves", run: this.#save },
    { name: "sends", run: this.#send },
    { name: "is served", run: this.#serve },
    { name: "is served", run: this.#serve },
    { name: "is served", run: this.#serve },
    { name: "hears", run: this.#hear },
    { name: "hears", run: this.#hear },
    { name: "hears", run: this.#hear },
    { name: "chooses", run: this.#choose },
    { name: "pauses", run: this.#pause },
    { name: "disconnects", run: this.#disconnect },
    { name: "connects", run: this.#connect },
    { name: "connects", run: this.#connect },
    { name: "reloads", run: this.#reload }
  ]
}
