/** What subcommands share: flags, and a loader that runs when the command is called. */
import * as Cause from "effect/Cause"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

export const stateDir = Flag.String("state-dir").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription(
    "Where threads and tapes are kept (default: $SIGNALBOX_STATE_DIR, else ~/.local/state/signalbox)"
  ),
  Flag.optional
)

export const provider = Flag.String("provider").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("The agent: cursor (default), or another of signalbox agents"),
  Flag.withDefault("cursor")
)

export const env = Flag.String("env").pipe(
  Flag.withMetavar("NAME=VALUE"),
  Flag.withDescription("A variable for the agent's environment, over those of its settings; may be repeated"),
  Flag.atLeast(0)
)

export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("FILE"),
  Flag.withDescription("Write to this new file instead of standard output"),
  Flag.optional
)

/** Loads a command when it is called. With `--log-level debug`, an unexpected failure is printed in full. */
export const lazily = <A, E, R>(load: () => Promise<Effect.Effect<A, E, R>>): Effect.Effect<A, E, R> =>
  Effect.flatten(Effect.promise(load)).pipe(Effect.tapDefect((defect) => Effect.logDebug(Cause.die(defect))))

/** The flag `--json`. `what` names the content of each line. */
export const json = (what: string) =>
  Flag.Boolean("json").pipe(Flag.withDescription(`Print ${what} as JSON`), Flag.withDefault(false))

/** A description of several paragraphs, as help sets them. */
export const paragraphs = (...texts: ReadonlyArray<string>): string => texts.join("\n\n  ")
