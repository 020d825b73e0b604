/** Servers of the Model Context Protocol, as the settings have them for a folder. */
import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

export const listMcpServers = (cwd: string, signal: AbortSignal): Promise<ReadonlyArray<McpServerInfo>> =>
  Effect.runPromise(
    persistently((client) => client.listMcpServers({ cwd })),
    { signal }
  )
