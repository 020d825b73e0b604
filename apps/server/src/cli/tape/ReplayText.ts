/** A replay as text: what `signalbox run` prints, and the recorded prompts and answers of people. */
import type { AgentRequest, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { RequestId } from "@signalbox/contracts/Ids"
import { promptText } from "@signalbox/contracts/Content"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { RecordedRun } from "../../replay/RecordedRun.ts"
import { oneLine, plain } from "../../base/Plain.ts"
import type { Printer } from "../terminal/Printer.ts"
import { requestText } from "../terminal/RequestText.ts"
import type { Terminal } from "../terminal/Terminal.ts"

export interface ReplayText {
  readonly begin: (run: RecordedRun) => void
  readonly print: Printer
}

/** `print` receives everything that a run prints too. */
export const make = (terminal: Pick<Terminal, "aside">, print: Printer): ReplayText => {
  const requests = new Map<RequestId, AgentRequest>()
  let prompts: Array<string> = []
  let cwd = ""

  const tell = (event: ProviderRuntimeEvent) => {
    if (event.type === "turn.started") terminal.aside(`> ${plain(prompts.shift() ?? "").replaceAll("\n", "\n> ")}`)
    if ("request" in event) {
      requests.set(event.request.requestId, event.request)
      terminal.aside(requestText(event.request, cwd))
    }
    if ("outcome" in event && "requestId" in event && event.outcome.type !== "expired")
      terminal.aside(`  ${outcomeText(requests.get(event.requestId), event.outcome)}`)
    print([event])
  }

  return {
    begin: (run) => {
      prompts = [...run.heard.values()].flatMap(({ act }) => (act?.type === "prompt" ? [promptText(act.prompt)] : []))
      const { provider, start, startedAt } = run
      cwd = start.cwd
      const version = start.agentVersion === undefined ? "" : ` ${start.agentVersion}`
      terminal.aside(`-- ${oneLine(`${provider.name}${version}`)}, ${new Date(startedAt).toISOString()}`)
    },
    print: (events) => events.forEach(tell)
  }
}

const outcomeText = (request: AgentRequest | undefined, outcome: RequestOutcome): string =>
  outcome.type === "answered" ? responseText(request, outcome.response) : "withdrawn"

const responseText = (request: AgentRequest | undefined, response: RequestResponse): string => {
  switch (response.type) {
    case "option": {
      const option =
        request?.type === "approval" ? request.options.find((one) => one.optionId === response.optionId) : undefined
      return `answered: ${oneLine(option?.name ?? response.optionId, 80)}`
    }
    case "answers":
      return `answered: ${oneLine(response.answers.flatMap(({ optionIds }) => optionIds).join(", "), 160)}`
    case "content":
      return "filled in"
    case "accept":
      return "accepted"
    case "reject":
      return `rejected${reasonText(response.reason)}`
    case "skip":
      return `skipped${reasonText(response.reason)}`
  }
}

const reasonText = (reason: string | undefined): string => (reason === undefined ? "" : `: ${oneLine(reason)}`)
