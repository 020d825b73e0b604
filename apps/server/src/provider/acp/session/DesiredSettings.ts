/**
 * Putting settings in place: the model first, since the others depend on it, then the rest in the agent's order; each reply
 * may change what is offered, so that the set is read anew after each (ACP v1, session-config-options).
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
  /** Whether the agent offers config options; otherwise modes and models. */
  readonly byConfig: boolean
  readonly current: () => ReadonlyArray<SessionSetting>
  /** Takes what a reply made of them. */
  readonly replace: (settings: ReadonlyArray<SessionSetting>, line: number | undefined) => void
}

/** The agent had all the time that changing a setting may take. An answer that comes later still tells the settings. */
export class SettingUnanswered extends Schema.TaggedError<SettingUnanswered>()("SettingUnanswered", {
  seconds: Schema.Finite
}) {
  override get message(): string {
    return `The agent did not answer in ${this.seconds} s.`
  }
}

/** Everything else that is asked of the session waits for this. */
const answerTimeout = Duration.seconds(15)

/** Changes one setting. What comes of it is in place before the next line of the agent is read. */
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

/** Puts as many of the desired values in place as the agent still offers. */
export const apply = Effect.fnUntraced(function* (
  settable: Settable,
  desired: Readonly<Record<string, SettingValue>>
): Effect.fn.Return<Configured> {
  const left = new Map(Object.entries(desired))
  const applied: Array<Configured["applied"][number]> = []
  const skipped: Array<Configured["skipped"][number]> = []
  for (;;) {
    const setting = nextOf(settable.current(), left)
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
        : yield* Effect.result(set(settable, setting.id, value))
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
