import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const chunk = (sessionUpdate: string, messageId: string, text: string): Step => ({
  update: { sessionUpdate, messageId, content: { type: "text", text } }
})

/** kilo 7.7.7: thoughts and the answer behind them have one id, and what the turn cost comes before its end. */
export const kiloText = (messageId: string): ReadonlyArray<Step> => [
  ...["Look ", "first."].map((text) => chunk("agent_thought_chunk", messageId, text)),
  ...["There ", "are ", "two."].map((text) => chunk("agent_message_chunk", messageId, text)),
  { update: { sessionUpdate: "usage_update", used: 1000, size: 200_000, cost: { amount: 0, currency: "USD" } } }
]
