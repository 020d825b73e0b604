/**
 * Sets settings: first the model, since the others depend on it, then the rest in the agent's order. Each response may
 * change the offer, so the settings are read again after each (ACP v1, session-config-options).
 */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as SettingsModel from "../projection/SettingsModel.ts"

export interface Settable {
  readonly client: Pick<AcpClient, "setConfigOption" | "setMode" | "setModel">
  readonly sessionId: string
  /** Whether the agent offers config options. If not, it offers modes and models. */
  readonly byConfig: boolean
  readonly current: () => ReadonlyArray<SessionSetting>
  /** Replaces the settings with those of a response. */
  readonly replace: (settings: ReadonlyArray<SessionSetting>, line: number | undefined) => void
}

/** The agent did not answer within the time for a setting. A later response still changes the settings. */
export class SettingUnanswered extends Schema.TaggedError<SettingUnanswered>()("SettingUnanswered", {
  seconds: Schema.Finite
}) {
  override get message(): string {
    return `The agent did not answer in ${this.seconds} s.`
  }
}

/** The limit is short, since all other calls to the session wait for this one. */
const answerTimeout = Duration.seconds(15)

/** Changes one setting. The new settings are in place before the agent's next line is read. */
export const set = (
  settable: Settable,
  settingId: string,
  value: SettingValue
): Effect.Effect<void, RequestFailure | SettingUnanswered> =>
  Effect.timeoutOrElse(request(settable, settingId, value), {
    duration: answerTimeout,
    orElse: () => Effect.fail(new SettingUnanswered({ seconds: Duration.toSeconds(answerTimeout) }))
  })

const request = (
  { byConfig, client, current, replace, sessionId }: Settable,
  settingId: string,
  value: SettingValue
): Effect.Effect<void, RequestFailure> => {
  const changed = (exit: Exit.Exit<unknown, RequestFailure>, line: number | undefined) =>
    Effect.sync(() => {
      if (Exit.isSuccess(exit)) replace(SettingsModel.withValue(current(), settingId, value), line)
    })
  switch (SettingsModel.routeOf(settingId, byConfig)) {
    case "config": {
      const common = { sessionId, configId: settingId }
      return Effect.asVoid(
        client.setConfigOption(
          typeof value === "boolean" ? { ...common, type: "boolean", value } : { ...common, value },
          {
            onResponse: (exit, line) =>
              Effect.sync(() => {
                if (Exit.isSuccess(exit)) replace(SettingsModel.fromConfigOptions(exit.value.configOptions), line)
              })
          }
        )
      )
    }
    case "mode":
      return Effect.asVoid(client.setMode({ sessionId, modeId: String(value) }, { onResponse: changed }))
    case "model":
      return Effect.asVoid(client.setModel({ sessionId, modelId: String(value) }, { onResponse: changed }))
  }
}

type Configured = Pick<RuntimeEventOf<"session.configured">, "applied" | "skipped">

/** A session, and how a setting of it is changed. */
export interface Changeable extends Pick<Settable, "current"> {
  readonly set: (settingId: string, value: SettingValue) => Effect.Effect<void, { readonly message: string }>
}

/** Sets as many of the desired values as the agent still offers. */
export const apply = Effect.fnUntraced(function* (
  { current, set }: Changeable,
  desired: Readonly<Record<string, SettingValue>>
): Effect.fn.Return<Configured> {
  const left = new Map(Object.entries(desired))
  const applied: Array<Configured["applied"][number]> = []
  const skipped: Array<Configured["skipped"][number]> = []
  for (;;) {
    const setting = nextOf(current(), left)
    if (setting === undefined) break
    const value = left.get(setting.id)
    if (value === undefined) break
    left.delete(setting.id)
    const refusal = SettingsModel.refusal(setting, value)
    if (refusal !== undefined) {
      skipped.push({ settingId: setting.id, value, reason: refusal })
      continue
    }
    const done =
      setting.type !== "unknown" && setting.value === value
        ? Result.succeed(undefined)
        : yield* Effect.result(set(setting.id, value))
    if (Result.isSuccess(done)) applied.push({ settingId: setting.id, value })
    else skipped.push({ settingId: setting.id, value, reason: done.failure.message })
  }
  for (const [settingId, value] of left) skipped.push({ settingId, value, reason: "The agent no longer offers it." })
  return { applied, skipped }
})

const nextOf = (settings: ReadonlyArray<SessionSetting>, left: ReadonlyMap<string, SettingValue>) => {
  const waiting = settings.filter(({ id }) => left.has(id))
  return waiting.find(SettingsModel.isModel) ?? waiting[0]
}
