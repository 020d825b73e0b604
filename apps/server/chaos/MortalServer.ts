/**
 * `signalbox`, as it is, but for a tracer that ends the process with SIGKILL at the start or the end of a span. So a server
 * dies between two steps of its own, and no step of the product knows that it can.
 *
 *     CHAOS_SPAN='{"name":"ThreadStore.commit","edge":"end","nth":7}' CHAOS_DEATH=FILE node chaos/MortalServer.ts serve …
 *
 * The file says when it died, in milliseconds since 1970: on a busy machine others learn of it much later.
 */
import { writeFileSync } from "node:fs"
import type { SpanKill } from "./KillPoint.ts"

const source = process.env["CHAOS_SPAN"]
if (source !== undefined) {
  const point: SpanKill = JSON.parse(source)
  const { NativeSpan, nativeTracer } = await import("effect/Tracer")
  let left = point.nth
  const pass = (name: string, edge: SpanKill["edge"]): void => {
    if (name !== point.name || edge !== point.edge) return
    left -= 1
    if (left > 0) return
    writeFileSync(process.env["CHAOS_DEATH"] ?? "/dev/null", String(Date.now()))
    process.kill(process.pid, "SIGKILL")
  }
  class MortalSpan extends NativeSpan {
    override end(...how: Parameters<typeof NativeSpan.prototype.end>): void {
      super.end(...how)
      pass(this.name, "end")
    }
  }
  // The tracer that everything uses that is not given another.
  Reflect.set(nativeTracer, "span", (options: ConstructorParameters<typeof NativeSpan>[0]) => {
    pass(options.name, "start")
    return new MortalSpan(options)
  })
}

await import("../src/bin.ts")
