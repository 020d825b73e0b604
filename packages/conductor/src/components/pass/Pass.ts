/** A proxy that passes everything on as it came. It shows that a chain works, and where a component would stand. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"
import * as Effect from "effect/Effect"

export const pass: BuiltInComponent = {
  name: "pass",
  summary: "Passes everything on as it came",
  offersServers: false,
  make: ComponentArguments.none((link) =>
    Effect.flatMap(
      AcpProxy.make(link, () => ({})),
      ({ closed }) => Effect.asVoid(closed)
    )
  )
}
