/** What is known of the offered agents, as people are shown it: rows that checks and logins change, several at once. */
import type { ProviderId, ProviderRef, ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { isDeepStrictEqual } from "node:util"
import type { LoginCheck } from "../Services/ProviderCatalog.ts"

export interface StatusBoard {
  readonly rows: SubscriptionRef.SubscriptionRef<ReadonlyArray<ProviderStatus>>
  /** What agents said of it themselves. */
  readonly logins: Ref.Ref<HashMap.HashMap<ProviderId, LoginCheck>>
  /** What each agent was made of when it was checked last. */
  readonly seen: Ref.Ref<HashMap.HashMap<ProviderId, string>>
}

export const make: Effect.Effect<StatusBoard> = Effect.all({
  rows: SubscriptionRef.make<ReadonlyArray<ProviderStatus>>([]),
  logins: Ref.make(HashMap.empty<ProviderId, LoginCheck>()),
  seen: Ref.make(HashMap.empty<ProviderId, string>())
})

/** Puts these agents on the board in place of those before. What is known of one stays known. */
export const offer = ({ rows }: StatusBoard, unchecked: ReadonlyArray<ProviderStatus>): Effect.Effect<void> =>
  SubscriptionRef.updateSome(rows, (before) => {
    const now = unchecked.map((one) => before.find(({ provider }) => isSame(provider, one.provider)) ?? one)
    return isDeepStrictEqual(now, before) ? Option.none() : Option.some(now)
  })

/** Whether an agent has changed since it was checked. */
export const isDue = ({ seen }: StatusBoard, id: ProviderId, fingerprint: string): Effect.Effect<boolean> =>
  Effect.map(Ref.get(seen), (all) => !Option.contains(HashMap.get(all, id), fingerprint))

/**
 * Takes in what a check has found. A login that is noted meanwhile stands, too: whoever comes second finds the first. It is not to be parted:
 * what is seen and not shown would never be checked again.
 */
export const takeCheck = Effect.fnUntraced(function* (
  { logins, rows, seen }: StatusBoard,
  checked: ProviderStatus,
  fingerprint: string
) {
  const { id } = checked.provider
  yield* SubscriptionRef.updateEffect(rows, (all) =>
    Effect.map(Ref.get(logins), (said) => {
      const login = Option.getOrUndefined(HashMap.get(said, id))
      // What a program says by itself is newer than what its agent said before.
      const isTold = checked.checks.some(({ name }) => name === "login")
      return replaced(all, id, () => (login === undefined || isTold ? checked : withLogin(checked, login)))
    })
  )
  yield* Ref.update(seen, HashMap.set(id, fingerprint))
}, Effect.uninterruptible)

/** Takes in what an agent said of its login. */
export const noteLogin = Effect.fnUntraced(function* (
  { logins, rows }: StatusBoard,
  id: ProviderId,
  login: LoginCheck
) {
  yield* Ref.update(logins, HashMap.set(id, login))
  yield* SubscriptionRef.update(rows, (all) => replaced(all, id, (status) => withLogin(status, login)))
})

const replaced = (
  all: ReadonlyArray<ProviderStatus>,
  id: ProviderId,
  by: (status: ProviderStatus) => ProviderStatus
): ReadonlyArray<ProviderStatus> => all.map((status) => (status.provider.id === id ? by(status) : status))

/** Its kind is known once it has been checked. */
const isSame = (one: ProviderRef, other: ProviderRef): boolean =>
  one.id === other.id && one.name === other.name && one.simulated === other.simulated

/** With this in place of what was known before of the login. */
const withLogin = (status: ProviderStatus, login: LoginCheck): ProviderStatus => {
  const known = { ...status, checks: [...status.checks.filter(({ name }) => name !== "login"), login] }
  if (status.state !== "ready" && status.state !== "attention") return known
  if (login.state !== "ok") return { ...known, state: "attention" }
  const { problem, ...rest } = known
  return problem === undefined || problem.code === "auth-required" ? { ...rest, state: "ready" } : known
}
