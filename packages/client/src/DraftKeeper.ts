/** Keeps the draft of one thread in the server, a moment after each change. Follows what other pages write. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { OutOfScope } from "@signalbox/contracts/ClientScope"
import type { PageId } from "@signalbox/contracts/Documents"
import type { AttachmentId, Draft, DraftContent, DraftSaved, DraftToSave, SentDraft } from "@signalbox/contracts/Draft"
import type { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import type * as Stream from "effect/Stream"
import * as DraftState from "./DraftState.ts"
import type { Follow } from "./Following.ts"

/** Milliseconds after the last change until it is saved. */
const pause = 500
/** Milliseconds after the first unsaved change until it is saved, however fast somebody types. */
const longest = 2000
/** Milliseconds after the last change until the text of another page may come into the field. */
const calm = 2000
/** Milliseconds after a refusal until the save is tried again, if nothing changes meanwhile. */
const patience = 10_000

type Call<A, E> = Effect.Effect<A, E | RpcClientError>
type Failure = Refused | OutOfScope

/** The calls of the server about drafts. */
export interface DraftClient {
  readonly watchDraft: (of: { readonly threadId: ThreadId }) => Stream.Stream<Draft, Failure | RpcClientError>
  readonly saveDraft: (draft: DraftToSave) => Call<DraftSaved, Failure>
  readonly attachToDraft: (file: {
    readonly threadId: ThreadId
    readonly id: AttachmentId
    readonly part: PromptPart
  }) => Call<void, Failure>
  readonly readAttachment: (of: { readonly threadId: ThreadId; readonly id: AttachmentId }) => Call<PromptPart, Failure>
}

export interface DraftShown {
  readonly state: DraftState.DraftState
  /** Whether the server has said what it has. */
  readonly isKnown: boolean
  /** Why the server does not have the content. Undefined while it has it, or gets it in a moment. */
  readonly problem: Problem | undefined
  /** The content of attached files, as far as it is here. */
  readonly files: ReadonlyMap<AttachmentId, PromptPart>
  /** The names of files whose content was lost with the page that had it. */
  readonly lost: ReadonlyArray<string>
}

export interface Options {
  readonly threadId: ThreadId
  readonly page: PageId
  readonly following: Follow<DraftClient>
  readonly persistently: <A, E>(
    call: (client: DraftClient) => Call<A, E>
  ) => Effect.Effect<A, Exclude<E, RpcClientError>>
  /** Called after each change, with what it was before. */
  readonly onChange: (shown: DraftShown, before: DraftShown) => void
  /** Whether the field must not change now, besides somebody typing. */
  readonly isBusy?: () => boolean
}

export interface DraftKeeper {
  readonly shown: () => DraftShown
  readonly edit: (content: DraftContent, files?: ReadonlyMap<AttachmentId, PromptPart>) => void
  /** Goes on with what closed pages have kept. Comes before `follow`. */
  readonly found: (kept: ReadonlyArray<DraftState.FoundDraft>) => void
  /** Saves without a pause. */
  readonly flush: () => void
  /** Notes that the content is sent. Nothing is saved until `taken` or `notTaken`. */
  readonly send: (turnId: TurnId) => SentDraft
  readonly taken: (turnId: TurnId) => void
  readonly notTaken: () => void
  readonly keepMine: () => void
  readonly takeOther: () => void
  /** Follows the draft of the server. Never ends by itself, except if the thread is gone. */
  readonly follow: Effect.Effect<void>
  /** Saves what is written, and reads the files. Never ends. */
  readonly work: Effect.Effect<never>
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const { following, isBusy = () => false, onChange, page, persistently, threadId } = options
  const clock = yield* Clock.Clock
  const files = new Map<AttachmentId, PromptPart>()
  /** Files whose content the server has, as far as this client knows. */
  const stored = new Set<AttachmentId>()
  const unsaved = Latch.makeUnsafe(false)
  const hurry = Latch.makeUnsafe(false)
  const came = Latch.makeUnsafe(false)
  const filesWanted = Latch.makeUnsafe(false)
  let shown: DraftShown = {
    state: DraftState.initial(page),
    isKnown: false,
    problem: undefined,
    files: new Map(),
    lost: []
  }
  let editedAt = -Infinity
  let unsavedSince: number | undefined
  let isNewStream = false

  const change = (next: Partial<DraftShown>): void => {
    const before = shown
    shown = { ...shown, ...next }
    const { state } = shown
    if (!DraftState.isUnsaved(state)) shown = { ...shown, problem: undefined }
    if (DraftState.toSave(state) === undefined) {
      unsavedSince = undefined
      hurry.closeUnsafe()
    } else if (next.state !== undefined) {
      unsavedSince ??= clock.currentTimeMillisUnsafe()
      unsaved.openUnsafe()
    }
    if (state.arrived !== undefined) came.openUnsafe()
    if (state.content.attachments.some(({ id }) => !files.has(id))) filesWanted.openUnsafe()
    onChange(shown, before)
  }
  const step = (next: DraftState.DraftState): void => {
    if (next !== shown.state) change({ state: next })
  }

  const isTyping = (): boolean => isBusy() || clock.currentTimeMillisUnsafe() - editedAt < calm
  const take = (draft: Draft, isNewest: boolean): void =>
    step(DraftState.arrived(shown.state, draft, { isNewest, typing: isTyping() }))

  const lose = (ids: ReadonlyArray<AttachmentId>): void => {
    const { content } = shown.state
    const gone = content.attachments.filter(({ id }) => ids.includes(id))
    if (gone.length === 0) return
    const attachments = content.attachments.filter(({ id }) => !ids.includes(id))
    change({
      state: DraftState.edited(shown.state, { ...content, attachments }),
      lost: [...shown.lost, ...gone.map(({ name }) => name)]
    })
  }

  /** Waits for a pause in typing, but not for longer than people may lose. */
  const untilDue = Effect.gen(function* () {
    while (true) {
      const now = clock.currentTimeMillisUnsafe()
      const due = Math.min(editedAt + pause, (unsavedSince ?? now) + longest)
      if (now >= due) return
      const isHurried = yield* Effect.raceFirst(Effect.as(Effect.sleep(due - now), false), Effect.as(hurry.await, true))
      if (isHurried) return
    }
  })

  const save = (client: DraftClient) =>
    Effect.gen(function* () {
      const wanted = DraftState.toSave(shown.state)
      if (wanted === undefined) return
      unsavedSince = undefined
      for (const { id } of wanted.content.attachments) {
        const part = files.get(id)
        if (part === undefined || stored.has(id)) continue
        yield* client.attachToDraft({ threadId, id, part })
        stored.add(id)
      }
      const outcome = yield* client.saveDraft({ threadId, page, base: wanted.base, ...wanted.content })
      isNewStream = false
      switch (outcome.type) {
        case "saved":
          return change({
            state: DraftState.saved(shown.state, outcome.revision, wanted.content, isTyping()),
            problem: undefined
          })
        case "changed":
          return take(outcome.draft, outcome.draft.revision < wanted.base)
        case "missing": {
          for (const id of outcome.attachments) stored.delete(id)
          const gone = outcome.attachments.filter((id) => !files.has(id))
          if (gone.length > 0) lose(gone)
          else unsaved.openUnsafe()
        }
      }
    })

  const refused = ({ problem }: Failure): void => change({ problem })

  const saving = Effect.gen(function* () {
    while (true) {
      yield* unsaved.await
      yield* untilDue
      unsaved.closeUnsafe()
      hurry.closeUnsafe()
      const isTaken = yield* persistently(save).pipe(
        Effect.match({
          onFailure: (failure) => {
            refused(failure)
            return false
          },
          onSuccess: () => true
        })
      )
      if (isTaken) continue
      yield* Effect.raceFirst(Effect.sleep(patience), unsaved.await)
      if (DraftState.toSave(shown.state) !== undefined) unsaved.openUnsafe()
    }
  })

  const showing = Effect.gen(function* () {
    while (true) {
      yield* came.await
      while (isTyping()) yield* Effect.sleep(Math.max(100, editedAt + calm - clock.currentTimeMillisUnsafe()))
      came.closeUnsafe()
      step(DraftState.paused(shown.state))
    }
  })

  /** A file that can't be read may be there later. One that is gone may have been sent, which the server says in a moment. */
  const unread = (id: AttachmentId, { problem }: Failure): Effect.Effect<void> => {
    if (problem.code === "storage")
      return Effect.andThen(
        Effect.sleep(patience),
        Effect.sync(() => void filesWanted.openUnsafe())
      )
    return Effect.andThen(
      Effect.sleep("1 second"),
      Effect.sync(() => lose([id]))
    )
  }

  const reading = Effect.gen(function* () {
    while (true) {
      yield* filesWanted.await
      filesWanted.closeUnsafe()
      for (const { id } of shown.state.content.attachments) {
        if (files.has(id)) continue
        yield* persistently((client) => client.readAttachment({ threadId, id })).pipe(
          Effect.matchEffect({
            onFailure: (failure) => unread(id, failure),
            onSuccess: (part) =>
              Effect.sync(() => {
                files.set(id, part)
                stored.add(id)
                change({ files: new Map(files) })
              })
          })
        )
      }
    }
  })

  const keeper: DraftKeeper = {
    shown: () => shown,
    edit: (content, more) => {
      for (const [id, part] of more ?? []) files.set(id, part)
      editedAt = clock.currentTimeMillisUnsafe()
      change({ state: DraftState.edited(shown.state, content), files: new Map(files), lost: [] })
    },
    found: (kept) => step(DraftState.found(shown.state, kept)),
    flush: () => {
      if (DraftState.toSave(shown.state) !== undefined) hurry.openUnsafe()
    },
    send: (turnId) => {
      const sent = DraftState.sentDraft(shown.state)
      step(DraftState.sending(shown.state, turnId))
      return sent
    },
    taken: (turnId) => step(DraftState.taken(shown.state, turnId)),
    notTaken: () => step(DraftState.notTaken(shown.state)),
    keepMine: () => step(DraftState.keepMine(shown.state)),
    takeOther: () => step(DraftState.takeOther(shown.state)),
    follow: following(
      (client) => {
        isNewStream = true
        return client.watchDraft({ threadId })
      },
      (drafts) => {
        for (const draft of drafts) {
          take(draft, isNewStream)
          isNewStream = false
        }
        if (!shown.isKnown) change({ isKnown: true })
      }
    ).pipe(Effect.catch((failure) => Effect.sync(() => refused(failure)))),
    work: Effect.raceFirst(saving, Effect.raceFirst(showing, reading))
  }
  return keeper
})
