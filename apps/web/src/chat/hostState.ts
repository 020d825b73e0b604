/** What the extension has said about its window: folders, and what can be added to a prompt. */
import type { Offer, ToView, Workspace } from "@signalbox/contracts/HostMessage"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { focusSoon } from "../browser/focusSoon.ts"
import { agentsHref, routeOf, threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { makeStore, type Store } from "../browser/Store.ts"
import { addOffered } from "./addOffered.ts"
import { composerId } from "../composer/PromptField.tsx"
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
    case "add": {
      const route = routeOf(location.hash)
      if (route.page !== "thread") return
      addOffered(route.threadId, message.parts)
      return focusSoon(`#${composerId}`)
    }
    case "connected":
    case "frame":
    case "disconnected":
      return takeNews(message)
  }
}
