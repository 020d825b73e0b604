/** The state of the offered agents that people see: rows that checks and sign-ins change, several at once. */
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
  /** The agents' own reports of their sign-ins. */
  readonly logins: Ref.Ref<HashMap.HashMap<ProviderId, LoginCheck>>
  /** Each agent's fingerprint at its last check. */
  readonly seen: Ref.Ref<HashMap.HashMap<ProviderId, string>>
}

export const make: Effect.Effect<StatusBoard> = Effect.all({
  rows: SubscriptionRef.make<ReadonlyArray<ProviderStatus>>([]),
  logins: Ref.make(HashMap.empty<ProviderId, LoginCheck>()),
  seen: Ref.make(HashMap.empty<ProviderId, string>())
})

/** Replaces the agents on the board. What is known about an agent stays. */
export const offer = ({ rows }: StatusBoard, unchecked: ReadonlyArray<ProviderStatus>): Effect.Effect<void> =>
  SubscriptionRef.updateSome(rows, (before) => {
    const now = unchecked.map((one) => {
      const known = before.find(({ provider }) => isSame(provider, one.provider))
      // No check finds it: it is what the settings say.
      return known === undefined ? one : { ...known, permissions: one.permissions ?? "ask" }
    })
    return isDeepStrictEqual(now, before) ? Option.none() : Option.some(now)
  })

/** Whether an agent has changed since it was checked. */
export const isDue = ({ seen }: StatusBoard, id: ProviderId, fingerprint: string): Effect.Effect<boolean> =>
  Effect.map(Ref.get(seen), (all) => !Option.contains(HashMap.get(all, id), fingerprint))

/**
 * Applies a check's result, together with a sign-in that was noted in the meantime, in either order. Uninterruptible:
 * an agent whose fingerprint is stored without a row would never be checked again.
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
      // A program's own report is newer than the agent's earlier one.
      const isTold = checked.checks.some(({ name }) => name === "login")
      return replaced(all, id, () => (login === undefined || isTold ? checked : withLogin(checked, login)))
    })
  )
  yield* Ref.update(seen, HashMap.set(id, fingerprint))
}, Effect.uninterruptible)

/** Applies an agent's own report of its sign-in. */
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

/** Whether two references are one agent. The kind is not compared, since only a check finds it. */
const isSame = (one: ProviderRef, other: ProviderRef): boolean =>
  one.id === other.id && one.name === other.name && one.simulated === other.simulated

/** The status with this sign-in in place of the earlier one. */
const withLogin = (status: ProviderStatus, login: LoginCheck): ProviderStatus => {
  const known = { ...status, checks: [...status.checks.filter(({ name }) => name !== "login"), login] }
  if (status.state !== "ready" && status.state !== "attention") return known
  if (login.state !== "ok") return { ...known, state: "attention" }
  const { problem, ...rest } = known
  return problem === undefined || problem.code === "auth-required" ? { ...rest, state: "ready" } : known
}
