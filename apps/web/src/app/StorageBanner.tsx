import { health } from "../connection/health.ts"
import { useStore } from "../browser/Store.ts"
import { storageWords } from "./healthWords.ts"
import { Strip } from "./Strip.tsx"

/** Says that nothing can be kept now, for as long as that is so. */
export const StorageBanner = () => {
  const storage = useStore(health)?.storage
  if (storage?.state !== "failing") return null
  const { cause, title } = storageWords(storage)
  return (
    <Strip label="Storage" lamp="failed">
      <b>{title}</b> Agents wait; nothing is lost. <span className="quiet">{cause}</span>
    </Strip>
  )
}
