/**
 * Rules that hold for one request. The use is on record before the request is answered: neither a crash nor a second process makes
 * another one.
 */
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleNaming from "@signalbox/permission/rules/RuleNaming"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import { codeOf, isMissing } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { createHash } from "node:crypto"
import { access, open, realpath, unlink } from "node:fs/promises"
import { join } from "node:path"

/** The record of uses, a file for each. */
export interface RuleUses {
  /** The rules that are left for a request: those that last, and those that no other request has used. */
  readonly left: (rules: ReadonlyArray<PlacedRule>, request: string) => Effect.Effect<ReadonlyArray<PlacedRule>>
  /** Uses rules for a request, all of them or none. False if another request has used one, or the use can't be recorded. */
  readonly claim: (rules: ReadonlyArray<PlacedRule>, request: string) => Effect.Effect<boolean>
}

const isForOne = ({ until }: PlacedRule): boolean => until === "once"

/** The name under which a use is recorded: the file of the rule, what the rule says, and how many rules before it say the same. */
const keyOf = async (rule: PlacedRule, before: number): Promise<string> => {
  const file = await realpath(rule.file).catch(() => rule.file)
  return createHash("sha256")
    .update(`${file}\0${RuleNaming.refOf(rule).id}\0${before}`)
    .digest("hex")
    .slice(0, 32)
}

/** The rules for one request, each with its key. Rules of no file are their own keys. */
const keysOf = async (rules: ReadonlyArray<PlacedRule>): Promise<ReadonlyMap<PlacedRule, string | PlacedRule>> => {
  const keys = new Map<PlacedRule, string | PlacedRule>()
  const counts = new Map<string, number>()
  for (const rule of rules.filter(isForOne)) {
    if (rule.file === "") {
      keys.set(rule, rule)
      continue
    }
    const same = `${rule.file}\0${RuleNaming.refOf(rule).id}`
    const before = counts.get(same) ?? 0
    counts.set(same, before + 1)
    keys.set(rule, await keyOf(rule, before))
  }
  return keys
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    // What can't be looked at counts as used.
    (error: unknown) => !isMissing(error)
  )

/** The rules of a file that were used. */
export const used = (folder: string, rules: ReadonlyArray<PlacedRule>): Effect.Effect<ReadonlySet<PlacedRule>> =>
  Effect.promise(async () => {
    const found = new Set<PlacedRule>()
    for (const [rule, key] of await keysOf(rules))
      if (typeof key === "string" && (await isThere(join(folder, key)))) found.add(rule)
    return found
  })

/** Lets a rule that a person writes anew count again. `rules`: those of its file, up to it. */
export const renew = (folder: string, rules: ReadonlyArray<PlacedRule>): Effect.Effect<void> =>
  Effect.promise(async () => {
    const key = [...(await keysOf(rules))].find(([rule]) => rule === rules.at(-1))?.[1]
    if (typeof key === "string") await unlink(join(folder, key)).catch(() => {})
  })

/**
 * Makes the record.
 *
 * @param folder absolute
 */
export const make = (folder: string): RuleUses => {
  /** Uses of this process, and the request that each belongs to. Undefined: of nobody here. */
  const claims = new Map<string | PlacedRule, string | undefined>()
  const keys = new WeakMap<PlacedRule, string | PlacedRule>()
  const one = Semaphore.makeUnsafe(1)

  const isLeft = async (key: string | PlacedRule, request: string): Promise<boolean> =>
    claims.has(key) ? claims.get(key) === request : typeof key !== "string" || !(await isThere(join(folder, key)))

  const take = async (key: string | PlacedRule, request: string): Promise<boolean> => {
    if (claims.has(key)) return claims.get(key) === request
    // First in memory: a use that can't be recorded is spent all the same.
    claims.set(key, undefined)
    if (typeof key === "string" && !(await recorded(folder, key))) return false
    claims.set(key, request)
    return true
  }

  const giveBack = async (key: string | PlacedRule): Promise<void> => {
    if (typeof key === "string") await unlink(join(folder, key)).catch(() => {})
    claims.delete(key)
  }

  return {
    left: (rules, request) =>
      Effect.promise(async () => {
        const known = await keysOf(rules)
        const left: Array<PlacedRule> = []
        for (const rule of rules) {
          const key = known.get(rule)
          if (key !== undefined) keys.set(rule, key)
          if (key === undefined || (await isLeft(key, request))) left.push(rule)
        }
        return left
      }),
    claim: (rules, request) =>
      one.withPermits(1)(
        Effect.promise(async () => {
          const wanted = new Set(rules.filter(isForOne).map((rule) => keys.get(rule)))
          const taken: Array<string | PlacedRule> = []
          for (const key of wanted) {
            if (key === undefined) return false
            const isNew = !claims.has(key)
            if (await take(key, request)) {
              if (isNew) taken.push(key)
              continue
            }
            for (const each of taken) await giveBack(each)
            return false
          }
          return true
        })
      )
  }
}

/** Whether the use was recorded now, and not before. It is on the disk when this returns. */
const recorded = async (folder: string, key: string): Promise<boolean> => {
  try {
    PrivateFolder.make(folder)
    const file = await open(join(folder, key), "wx", 0o600)
    await file.sync().finally(() => file.close())
    const around = await open(folder, "r")
    await around.sync().finally(() => around.close())
    return true
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}
