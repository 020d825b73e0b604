/** What the extension has said about its window: folders, and what can be added to a prompt. */
import type { Offer, ToView, Workspace } from "@signalbox/contracts/HostMessage"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { agentsHref, routeOf, threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { makeStore, type Store } from "../browser/Store.ts"
import { takeNews } from "./hostTransport.ts"

/** Undefined until the extension has said it. */
export const workspace: Store<Workspace | undefined> = makeStore<Workspace | undefined>(undefined)

export const offers: Store<ReadonlyArray<Offer>> = makeStore<ReadonlyArray<Offer>>([])

/** The thread that people are asked about: it was open when the window was closed. */
export const askedAbout: Store<ThreadId | undefined> = makeStore<ThreadId | undefined>(undefined)

const restore = (last: Extract<ToView, { readonly type: "welcome" }>["restore"]): void => {
  if (last === undefined || routeOf(location.hash).page !== "home") return
  if (!last.ask) return go(threadHref(last.threadId))
  askedAbout.set(last.threadId)
  go(agentsHref)
}

/** What the editor has added and no prompt has yet: its thread may still be on its way, or people choose one first. */
export const toAdd: Store<ReadonlyArray<PromptPart>> = makeStore<ReadonlyArray<PromptPart>>([])

export const takeMessage = (message: ToView): void => {
  switch (message.type) {
    case "welcome":
      workspace.set(message.workspace)
      return restore(message.restore)
    case "workspace":
      return workspace.set(message.workspace)
    case "offers":
      return offers.set(message.offers)
    case "show":
      return go(threadHref(message.threadId))
    case "newThread":
      return go(agentsHref)
    case "add":
      return toAdd.set([...toAdd.get(), ...message.parts])
    case "connected":
    case "frame":
    case "disconnected":
      return takeNews(message)
  }
}
