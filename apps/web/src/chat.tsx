import * as Effect from "effect/Effect"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "./design/base.css"
import "./chat/theme.css"
import { surroundedBy } from "./browser/surroundings.ts"
import { Chat } from "./chat/Chat.tsx"
import { listen, tell } from "./chat/host.ts"
import { followLinks } from "./chat/hostLinks.ts"
import { takeMessage } from "./chat/hostState.ts"
import { hostTransport } from "./chat/hostTransport.ts"
import { followTheme } from "./chat/theme.ts"
import { followProviders } from "./connection/providers.ts"
import { reportDefect, start } from "./connection/link.ts"
import { followThreads, threads } from "./connection/threads.ts"

followTheme()
surroundedBy({
  openAddress: (url) => tell({ type: "openLink", url }),
  reload: () => tell({ type: "reload" }),
  compare: ({ newText, oldText, path }) => tell({ type: "openDiff", path, oldText, newText })
})
followLinks((threadId) => threads.get()?.find((row) => row.threadId === threadId)?.cwd)
listen(takeMessage)
tell({ type: "ready" })
start(hostTransport)
Effect.runFork(Effect.catchCause(followThreads, reportDefect))
Effect.runFork(Effect.catchCause(followProviders, reportDefect))

const root = document.getElementById("root")
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Chat />
    </StrictMode>
  )
}
