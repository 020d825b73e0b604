import type { ProviderId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ComponentInfo } from "@signalbox/contracts/SessionChain"
import { useEffect, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { problemOf } from "../connection/commands.ts"
import { listComponents } from "../connection/components.ts"
import { settingsFile } from "../connection/settingsFile.ts"

/** The components that the settings name for an agent, as they are now. Undefined until they are known. */
export const useComponents = (
  id: ProviderId
): { readonly known: ReadonlyArray<ComponentInfo> | undefined; readonly problem: Problem | undefined } => {
  const [known, setKnown] = useState<ReadonlyArray<ComponentInfo>>()
  const [problem, setProblem] = useState<Problem>()
  const file = useStore(settingsFile)
  // A new object asks again, e.g. when the file has changed.
  const [asked, setAsked] = useState({ id, file })
  if (asked.file !== file || asked.id !== id) setAsked({ id, file })
  useEffect(() => {
    const abort = new AbortController()
    listComponents(asked.id, abort.signal).then(
      (all) => {
        if (!abort.signal.aborted) setKnown(all)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(error))
      }
    )
    return () => abort.abort()
  }, [asked])
  return { known, problem }
}
