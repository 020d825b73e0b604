import { type RefObject, useEffect } from "react"

/** Brings what a person has opened into view, as far as it is out of it. */
export const useIntoView = (opened: RefObject<HTMLElement | null>, isOpen: boolean): void => {
  useEffect(() => {
    if (isOpen) opened.current?.scrollIntoView({ block: "nearest" })
  }, [opened, isOpen])
}
