import { useEffect, useState } from "react"

/** Copies text, and says for two seconds whether that worked. */
export const useCopy = () => {
  const [copied, setCopied] = useState<"copied" | "not copied: the browser refused">()
  useEffect(() => {
    if (copied === undefined) return
    const timer = setTimeout(() => setCopied(undefined), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setCopied("copied"),
      () => setCopied("not copied: the browser refused")
    )
  }
  return { copied, copy }
}
