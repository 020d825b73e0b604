/** A proxy that passes everything on as it came. It shows that a chain works, and where a component would stand. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

export const pass: BuiltInComponent = {
  name: "pass",
  summary: "Passes everything on as it came",
  offersServers: false,
  make: ({ args }) =>
    args.length === 0
      ? Result.succeed((link) =>
          Effect.flatMap(
            AcpProxy.make(link, () => ({})),
            ({ closed }) => Effect.asVoid(closed)
          )
        )
      : Result.fail("It takes no arguments.")
}
