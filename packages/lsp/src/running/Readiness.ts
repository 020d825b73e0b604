/** Whether a server has read its project, and what it does meanwhile. */
import * as Predicate from "effect/Predicate"
import type { ReadySign } from "../ServerDefinition.ts"

export interface Readiness {
  readonly isReady: () => boolean
  /** Names the server's work: `Indexing 12/90 (13 %)`. Undefined if it reports nothing. */
  readonly words: () => string | undefined
  /** Takes `$/progress`. */
  readonly onProgress: (params: unknown) => void
  /** Takes `experimental/serverStatus` of rust-analyzer. */
  readonly onStatus: (params: unknown) => void
}

interface Work {
  readonly title: string
  readonly message: string
  readonly percentage: number | undefined
}

/** Most pieces of work that are followed. */
const mostWorks = 100
const longest = 200

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, longest) : "")

const percentOf = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= 100 ? Math.round(value) : undefined

/** @param onChange hears that something of it changed */
export const make = (sign: ReadySign, onChange: () => void): Readiness => {
  const works = new Map<string | number, Work>()
  let hasWorked = false
  /** Undefined until the server reports it. */
  let quiescent: boolean | undefined
  let status = ""

  const isReady = (): boolean => {
    if (quiescent !== undefined) return quiescent
    if (sign === "serverStatus") return false
    return works.size === 0 && (sign !== "progress" || hasWorked)
  }

  return {
    isReady,
    words: () => {
      const work = [...works.values()].at(-1)
      if (work === undefined) return status === "" ? undefined : status
      const { message, percentage, title } = work
      const words = message === "" ? title : `${title} ${message}`
      return percentage === undefined ? words : `${words} (${percentage} %)`
    },
    onProgress: (params) => {
      if (!Predicate.isObject(params)) return
      const { token, value } = params
      if ((typeof token !== "string" && typeof token !== "number") || !Predicate.isObject(value)) return
      const known = works.get(token)
      const { kind, message, percentage, title } = value
      if (kind === "begin" && works.size < mostWorks)
        works.set(token, { title: textOf(title), message: textOf(message), percentage: percentOf(percentage) })
      else if (kind === "report" && known !== undefined)
        works.set(token, {
          title: known.title,
          message: message === undefined ? known.message : textOf(message),
          percentage: percentOf(percentage) ?? known.percentage
        })
      else if (kind === "end" && works.delete(token)) hasWorked = true
      else return
      onChange()
    },
    onStatus: (params) => {
      if (!Predicate.isObject(params)) return
      if (typeof params["quiescent"] === "boolean") quiescent = params["quiescent"]
      status = textOf(params["message"])
      onChange()
    }
  }
}
