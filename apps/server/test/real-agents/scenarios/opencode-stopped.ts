import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/**
 * opencode 1.18.33 and kilo 7.7.7 without a network: the model is tried again and again without a word. After `session/cancel` the prompt is
 * answered with its usage and `end_turn`, where the protocol wants `cancelled`.
 */
export const opencodeStopped: Setup = {
  afterCancel: [
    { update: { sessionUpdate: "usage_update", used: 0, size: 200_000, cost: { amount: 0, currency: "USD" } } }
  ],
  onCancel: { stopReason: "end_turn" }
}
