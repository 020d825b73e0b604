import { useStore } from "../connection/Store.ts"
import { assertive, polite } from "./announcer.ts"

export const LiveRegions = () => (
  <>
    <output className="unseen" aria-live="polite">
      {useStore(polite)}
    </output>
    <div className="unseen" role="alert">
      {useStore(assertive)}
    </div>
  </>
)
