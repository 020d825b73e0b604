import * as Effect from "effect/Effect"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app/App.tsx"
import { browserTransport } from "./connection/browserTransport.ts"
import { reportDefect, start } from "./connection/link.ts"
import { followHealth } from "./connection/health.ts"
import { followProviders } from "./connection/providers.ts"
import { followSettingsFile } from "./connection/settingsFile.ts"
import { followRequests } from "./connection/requests.ts"
import { followThreads } from "./connection/threads.ts"

start(browserTransport)
Effect.runFork(Effect.catchCause(followThreads, reportDefect))
Effect.runFork(Effect.catchCause(followRequests, reportDefect))
Effect.runFork(Effect.catchCause(followProviders, reportDefect))
Effect.runFork(Effect.catchCause(followHealth, reportDefect))
Effect.runFork(Effect.catchCause(followSettingsFile, reportDefect))

const root = document.getElementById("root")
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
}
