/** Keeps drafts: in the server a moment after each change, and in this browser at once. Loaded when a composer is first shown. */
import * as DraftKeeper from "@signalbox/client/DraftKeeper"
import * as DraftState from "@signalbox/client/DraftState"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { AttachmentId, SentDraft } from "@signalbox/contracts/Draft"
import type { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { pageId } from "../browser/pageId.ts"
import { makeStore, type Store } from "../browser/Store.ts"
import { following, persistently } from "../connection/calls.ts"
import { reportDefect } from "../connection/link.ts"
import type { Attachment, Draft } from "./Draft.ts"
import * as KeptDrafts from "./keptDrafts.ts"

export interface KeptShown extends DraftKeeper.DraftShown {
  /** Whether this browser has what the server lacks. Otherwise only the page has it. */
  readonly isKeptHere: boolean
}

interface Kept {
  readonly keeper: DraftKeeper.DraftKeeper
  readonly shown: Store<KeptShown>
  /** Resolves when the drafts of closed pages are taken over. */
  readonly begun: Promise<void>
  readonly work: Fiber.Fiber<unknown>
  attending: number
  following: Fiber.Fiber<unknown> | undefined
}

const all = new Map<ThreadId, Kept>()

/** Somebody writes with an input method, which a change of the field would break off. */
let isComposing = false
document.addEventListener("compositionstart", () => (isComposing = true))
document.addEventListener("compositionend", () => (isComposing = false))

const run = (effect: Effect.Effect<void>) => Effect.runFork(Effect.catchCause(effect, reportDefect))

const partOf = (files: DraftKeeper.DraftShown["files"], id: AttachmentId): Pick<Attachment, "part"> => {
  const part = files.get(id)
  return part === undefined || part.type === "text" || part.type === "resource_link" ? {} : { part }
}

const draftOf = ({ files, state: { content, sent } }: DraftKeeper.DraftShown): Draft => ({
  ...content,
  ...(sent?.mayBeSaved && { maybeSent: true }),
  attachments: content.attachments.map((attachment) => ({ ...attachment, ...partOf(files, attachment.id) }))
})

const keep = (threadId: ThreadId, draft: Store<Draft>): Kept => {
  const known = all.get(threadId)
  if (known !== undefined) return known
  const keeper = Effect.runSync(
    DraftKeeper.make({
      threadId,
      page: pageId,
      following: (openStream, onBatch) => following(openStream, onBatch),
      persistently: (call) => persistently(call),
      isBusy: () => isComposing,
      onChange: (now, before) => {
        const isKeptHere = KeptDrafts.keep(threadId, DraftState.toKeep(now.state))
        kept.shown.set({ ...now, isKeptHere })
        const { content, sent } = before.state
        if (now.state.content !== content || now.state.sent !== sent || now.files !== before.files)
          draft.set(draftOf(now))
      }
    })
  )
  const written = draft.get()
  const begin = async () => {
    const found = await KeptDrafts.left(threadId)
    keeper.found(found)
    // Those that are offered stay until somebody has chosen.
    const { left, other } = keeper.shown().state
    const offered = new Set([...left, ...(other?.from === "browser" ? [other] : [])].map(({ page }) => page))
    for (const { page } of found) if (!offered.has(page)) KeptDrafts.forget(threadId, page)
  }
  const kept: Kept = {
    keeper,
    shown: makeStore<KeptShown>({ ...keeper.shown(), isKeptHere: true }),
    begun: Promise.resolve().then(begin),
    work: run(keeper.work),
    attending: 0,
    following: undefined
  }
  all.set(threadId, kept)
  // Written before this part of the page was here.
  if (written.text !== "" || written.attachments.length > 0) edit(threadId, written)
  return kept
}

/** What is known of a draft whose field is shown. */
export const shownOf = (threadId: ThreadId): Store<KeptShown> | undefined => all.get(threadId)?.shown

export const attend = (threadId: ThreadId, draft: Store<Draft>): (() => void) => {
  const kept = keep(threadId, draft)
  kept.attending += 1
  void kept.begun.then(() => {
    if (kept.attending > 0) kept.following ??= run(kept.keeper.follow)
  })
  return () => {
    kept.attending -= 1
    kept.keeper.flush()
    if (kept.attending > 0 || kept.following === undefined) return
    Effect.runFork(Fiber.interrupt(kept.following))
    kept.following = undefined
  }
}

/** Resolves when the server has said what it has of the draft: from then on, what is added goes behind that. */
export const known = async (threadId: ThreadId): Promise<void> => {
  const kept = all.get(threadId)
  await kept?.begun
  if (kept === undefined || kept.shown.get().isKnown) return
  await new Promise<void>((resolve) => {
    const stop = kept.shown.subscribe(() => {
      if (!kept.shown.get().isKnown) return
      stop()
      resolve()
    })
  })
}

/** Changes a draft. Returns whether it is kept here. */
export const edit = (threadId: ThreadId, { attachments, mentions, text }: Draft): boolean => {
  const keeper = all.get(threadId)?.keeper
  if (keeper === undefined) return false
  const parts = new Map<AttachmentId, PromptPart>()
  for (const { id, part } of attachments) if (part !== undefined) parts.set(id, part)
  const bare = attachments.map(({ bytes, id, name, type }) => ({ bytes, id, name, type }))
  keeper.edit({ text, mentions, attachments: bare }, parts)
  return true
}

export const send = (threadId: ThreadId, turnId: TurnId): SentDraft | undefined =>
  all.get(threadId)?.keeper.send(turnId)

export const sent = (threadId: ThreadId, turnId: TurnId, isTaken: boolean): void => {
  const keeper = all.get(threadId)?.keeper
  if (isTaken) keeper?.taken(turnId)
  else keeper?.notTaken()
}

/** Decides between this text and the other one. */
export const choose = (threadId: ThreadId, which: "mine" | "other"): void => {
  const keeper = all.get(threadId)?.keeper
  const other = keeper?.shown().state.other
  if (which === "mine") keeper?.keepMine()
  else keeper?.takeOther()
  if (other?.from === "browser") KeptDrafts.forget(threadId, other.page)
}

export const forget = (threadId: ThreadId): void => {
  const kept = all.get(threadId)
  all.delete(threadId)
  if (kept !== undefined)
    for (const fiber of [kept.work, kept.following]) if (fiber !== undefined) Effect.runFork(Fiber.interrupt(fiber))
  KeptDrafts.forgetAll(threadId)
}

const flushAll = (): void => {
  for (const { keeper } of all.values()) keeper.flush()
}
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") flushAll()
})
addEventListener("pagehide", flushAll)
addEventListener("blur", flushAll)
