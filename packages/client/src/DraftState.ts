/**
 * The draft of a thread in one client: what becomes of it when the person, the server or another page changes it. Pure.
 * The words of people win over none, and two that differ are never decided here: the person chooses.
 */
import type { PageId } from "@signalbox/contracts/Documents"
import type { Draft, DraftContent, SentDraft } from "@signalbox/contracts/Draft"
import type { TurnId } from "@signalbox/contracts/Ids"

export const nothing: DraftContent = { text: "", mentions: [], attachments: [] }

/**
 * Another text, which the person may take.
 *
 * - `page`: another page has saved it since.
 * - `server`: the server has gone back to it, for example to a backup.
 * - `browser`: a page that is closed has left it in this browser.
 */
export type OtherDraft = { readonly from: "page" | "server"; readonly draft: Draft } | LeftDraft

/** A text that a closed page has left. It stays in the browser until the person has chosen. */
export interface LeftDraft {
  readonly from: "browser"
  readonly page: PageId
  readonly content: DraftContent
}

export interface DraftState {
  /** What the person sees and changes. */
  readonly content: DraftContent
  /** The revision of the server that the content was made from. */
  readonly base: number
  /** What that revision has. Undefined if it is unknown, so that the content counts as not saved. */
  readonly saved: DraftContent | undefined
  /** This page, and closed pages whose draft it goes on with. What they have saved is no other text. */
  readonly pages: ReadonlyArray<PageId>
  /**
   * The turn that the content is sent as. `mayBeSaved`: a page sent it that is closed, so nobody waits for the answer. The
   * next draft of the server says whether it was taken.
   */
  readonly sent?: { readonly turnId: TurnId; readonly content: DraftContent; readonly mayBeSaved: boolean }
  /** A draft that came while the person was typing. */
  readonly arrived?: Draft
  readonly other?: OtherDraft
  /** Further texts of closed pages. */
  readonly left: ReadonlyArray<LeftDraft>
}

/** The most closed pages that are known by name. Their saves are over long before. */
const mostPages = 8

export const initial = (page: PageId): DraftState => ({
  content: nothing,
  base: 0,
  saved: nothing,
  pages: [page],
  left: []
})

export const isBlank = ({ attachments, text }: DraftContent): boolean => text.trim() === "" && attachments.length === 0

/** Whether two contents have the same words and files. */
const isSame = (one: DraftContent, other: DraftContent): boolean =>
  one === other ||
  (one.text === other.text &&
    one.attachments.length === other.attachments.length &&
    one.attachments.every(({ id }, index) => id === other.attachments[index]?.id) &&
    one.mentions.length === other.mentions.length &&
    one.mentions.every(
      ({ path, uri }, index) => path === other.mentions[index]?.path && uri === other.mentions[index]?.uri
    ))

const contentOf = ({ attachments, mentions, text }: DraftContent): DraftContent => ({ text, mentions, attachments })

/** Whether the server lacks what the person has written. */
export const isUnsaved = ({ content, saved }: DraftState): boolean => saved === undefined || !isSame(content, saved)

/** What has to be saved. Undefined if nothing has, or the person has to choose first. */
export const toSave = (state: DraftState): { readonly base: number; readonly content: DraftContent } | undefined => {
  const { base, content, other, sent } = state
  if (!isUnsaved(state) || (other !== undefined && other.from !== "browser")) return undefined
  return sent === undefined || sent.mayBeSaved ? { base, content } : undefined
}

/** The person has changed the content. */
export const edited = (state: DraftState, content: DraftContent): DraftState => {
  const { sent, ...rest } = state
  const isStillSent = sent !== undefined && (!sent.mayBeSaved || isSame(content, sent.content))
  return { ...rest, content, ...(isStillSent && { sent }) }
}

export interface Arrival {
  /** Whether the person is typing, so that the text in the field must not change. */
  readonly typing: boolean
  /** Whether the draft is the newest of the server even with a smaller revision, since the server has gone back. */
  readonly isNewest: boolean
}

/** The server has shown its draft. */
export const arrived = (state: DraftState, draft: Draft, { isNewest, typing }: Arrival): DraftState => {
  const { arrived: _, other, sent, ...rest } = state
  const theirs = contentOf(draft)
  const isBehind = draft.revision < state.base || (other !== undefined && isOlder(draft, other))
  if (isBehind && !isNewest) return state
  const isStranger = draft.revision === state.base && state.saved !== undefined && !isSame(state.saved, theirs)
  const hasGoneBack = draft.revision < state.base || (isNewest && isStranger)
  const here: DraftState = { ...rest, ...(other?.from === "browser" && { other }) }
  if (sent !== undefined && draft.sentAs.includes(sent.turnId))
    return arrived(withoutSent(here, sent.content, theirs), draft, { isNewest, typing })
  // Whoever sent it is closed, and the server has not taken it.
  const isOver = sent === undefined || (sent.mayBeSaved && isNewest)
  const mine: DraftState = isOver ? here : { ...here, sent }
  const known: DraftState = { ...mine, base: draft.revision, saved: theirs }
  if (isSame(state.content, theirs)) return known
  // Its own base: what differs was written here.
  if (draft.revision === state.base && !hasGoneBack)
    return state.saved === undefined ? known : other?.from === "page" || other?.from === "server" ? state : mine
  if (!isUnsaved(state) && !hasGoneBack) return typing ? { ...state, arrived: draft } : { ...known, content: theirs }
  if (draft.page !== undefined && state.pages.includes(draft.page) && !hasGoneBack) return known
  if (isBlank(theirs)) return known
  if (isBlank(state.content)) return typing ? { ...state, arrived: draft } : { ...known, content: theirs }
  const left = other?.from === "browser" ? [other, ...state.left] : state.left
  return { ...mine, left, other: { from: hasGoneBack ? "server" : "page", draft } }
}

const isOlder = (draft: Draft, other: OtherDraft): boolean =>
  other.from === "page" && draft.revision < other.draft.revision

/** The content was sent: it leaves, unless it was changed since. */
const withoutSent = (state: DraftState, sent: DraftContent, theirs: DraftContent): DraftState => {
  if (!isSame(state.content, sent)) return state
  const after = isSame(theirs, sent) ? nothing : theirs
  return { ...state, content: after, saved: theirs }
}

/** The person has paused: what came meanwhile is shown. */
export const paused = (state: DraftState): DraftState =>
  state.arrived === undefined ? state : arrived(state, state.arrived, { typing: false, isNewest: false })

/** The server has saved a content. What other pages have made of it may have been shown before that. */
export const saved = (state: DraftState, revision: number, content: DraftContent, typing: boolean): DraftState => {
  const known: DraftState = { ...state, base: revision, saved: content }
  if (revision < state.base) {
    if (!isSame(state.content, content) || state.saved === undefined) return state
    const later = { ...state.saved, revision: state.base, savedAt: 0, sentAs: [] }
    return arrived(known, later, { isNewest: false, typing })
  }
  const { other } = state
  if (other?.from !== "page" || isUnsaved(known)) return known
  const { other: _, ...rest } = known
  return arrived(rest, other.draft, { isNewest: false, typing })
}

/** The content is being sent as a turn. */
export const sending = (state: DraftState, turnId: TurnId): DraftState => ({
  ...state,
  sent: { turnId, content: state.content, mayBeSaved: false }
})

/** The draft that a prompt of this page is made from. */
export const sentDraft = ({ base, pages }: DraftState): SentDraft => ({ pages, revision: base })

/** The server has taken the turn. */
export const taken = (state: DraftState, turnId: TurnId): DraftState => {
  const { other, sent, ...rest } = state
  if (sent?.turnId !== turnId) return state
  if (!isSame(state.content, sent.content)) return { ...rest, ...(other && { other }) }
  const empty: DraftState = { ...rest, content: nothing, saved: nothing }
  if (other === undefined || other.from === "browser") return { ...empty, ...(other && { other }) }
  return arrived(empty, other.draft, { typing: false, isNewest: true })
}

/** The server has not taken the turn: the content stays. */
export const notTaken = (state: DraftState): DraftState => {
  const { sent: _, ...rest } = state
  return rest
}

/** The person keeps the own text. */
export const keepMine = (state: DraftState): DraftState => {
  const { other, ...rest } = state
  if (other === undefined) return state
  if (other.from === "browser") return withNextLeft(rest)
  return withNextLeft({ ...rest, base: other.draft.revision, saved: contentOf(other.draft) })
}

/** The person takes the other text. */
export const takeOther = (state: DraftState): DraftState => {
  const { other, ...rest } = state
  if (other === undefined) return state
  if (other.from === "browser") return withNextLeft({ ...rest, content: other.content })
  const theirs = contentOf(other.draft)
  return withNextLeft({ ...rest, content: theirs, base: other.draft.revision, saved: theirs })
}

const withNextLeft = (state: DraftState): DraftState => {
  const [next, ...left] = state.left
  if (state.other !== undefined || next === undefined) return state
  return { ...state, left, other: next }
}

/** A draft as a client keeps it beside the server, for example in a browser. */
export interface KeptDraft extends Pick<DraftState, "content" | "base" | "pages"> {
  readonly isUnsaved: boolean
  readonly sentAs?: TurnId
}

/** What has to be kept beside the server. Undefined if nothing has. */
export const toKeep = (state: DraftState): KeptDraft | undefined => {
  const { base, content, pages, sent } = state
  const unsaved = isUnsaved(state)
  if (!unsaved && isSame(content, nothing)) return undefined
  const isStillSent = sent !== undefined && isSame(content, sent.content)
  return { content, base, pages, isUnsaved: unsaved, ...(isStillSent && { sentAs: sent.turnId }) }
}

/** A draft that a closed page has kept. `page`: under whose name it is kept. */
export type FoundDraft = KeptDraft & { readonly page: PageId }

/** Goes on with the first of what closed pages have kept. Others are offered, unless the server has them. */
export const found = (state: DraftState, kept: ReadonlyArray<FoundDraft>): DraftState => {
  const isUntouched = isSame(state.content, nothing) && state.base === 0
  const first = isUntouched ? kept[0] : undefined
  const others = first === undefined ? kept : kept.slice(1)
  const left = others.flatMap(({ content, isUnsaved: unsaved, page }): ReadonlyArray<LeftDraft> => {
    const isNews = unsaved && !isBlank(content) && !isSame(content, first?.content ?? state.content)
    return isNews ? [{ from: "browser", page, content }] : []
  })
  if (first === undefined) return withNextLeft({ ...state, left: [...state.left, ...left] })
  const { base, content, pages, sentAs } = first
  return withNextLeft({
    content,
    base,
    saved: first.isUnsaved ? undefined : content,
    pages: [...state.pages, ...pages].slice(0, mostPages),
    ...(sentAs !== undefined && { sent: { turnId: sentAs, content, mayBeSaved: true } }),
    left
  })
}
