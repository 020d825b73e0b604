import { useStore } from "../browser/Store.ts"
import { assertive, polite } from "../browser/announcer.ts"

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
