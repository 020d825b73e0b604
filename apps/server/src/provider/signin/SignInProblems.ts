/** Explains why a sign-in failed. Each function fails with its problem. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import * as Effect from "effect/Effect"
import { ProviderError, providerError } from "../../base/ProviderError.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"

/** Fails because the agent does not offer this method. */
export const notOffered = ({ profile }: AgentVisit, methodId: string) =>
  Effect.fail(
    providerError("option-unknown", `${profile.name} offers no such way to sign in.`, `It does not name ${methodId}.`, {
      nextSteps: [{ action: "check-again", label: "Look again which ways it offers" }]
    })
  )

/** Fails with the sign-in methods, so that people can try again. */
export const failed = ({ profile }: AgentVisit, { command, name }: SignInMethod, cause: string) => {
  const problem: Problem = {
    code: "auth-required",
    title: `“${name}” did not sign you in to ${profile.name}.`,
    cause,
    evidence: {},
    nextSteps: [
      { action: "log-in", label: "Try it again" },
      ...(command === undefined
        ? []
        : [{ action: "run-command" as const, label: "Or do it by hand, in a terminal of yours", command }])
    ],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}

/** Fails because the method's program is not the agent's own. */
export const onlyByHand = ({ profile }: AgentVisit, { command = "", name }: SignInMethod) => {
  const problem: Problem = {
    code: "auth-required",
    title: `${profile.name} has you run a program for “${name}”.`,
    cause: "It is not the program by which the agent is started, so Signalbox does not run it.",
    evidence: {},
    nextSteps: [{ action: "run-command", label: "Run it yourself, in a terminal of yours", command }],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}

/** Fails because the method is an environment variable. */
export const variablesMissing = ({ profile }: AgentVisit, { link, name, vars = [] }: SignInMethod) => {
  const names = vars.map((variable) => variable.name).join(", ")
  const problem: Problem = {
    code: "auth-required",
    title: `${profile.name} takes “${name}” from its environment.`,
    cause: `${names === "" ? "A variable" : names} has to be set before it is started${link === undefined ? "." : `; ${link} says more.`}`,
    evidence: {},
    nextSteps: [{ action: "set-option", label: `Set it in the settings of ${profile.name}, then start it again` }],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}
