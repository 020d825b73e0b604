import { useStore } from "../browser/Store.ts"
import { assertive, polite } from "../browser/announcer.ts"
import { proseText } from "./Revealed.tsx"

export const LiveRegions = () => (
  <>
    <output className="unseen" aria-live="polite">
      {proseText(useStore(polite))}
    </output>
    <div className="unseen" role="alert">
      {proseText(useStore(assertive))}
    </div>
  </>
)
