/** Real programs, as components of a chain. */
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import * as Component from "../src/Component.ts"
import { programOf } from "../../../scripts/suite/Program.ts"

/** The file that starts a stand-in agent or proxy. */
export const standIn = (name: string) =>
  programOf(new URL(`../../stand-in-agents/src/${name}/main.ts`, import.meta.url))

/** A program of this name with these arguments. */
export const program = Effect.fnUntraced(function* (name: string, command: string, ...args: ReadonlyArray<string>) {
  const ledger = yield* ProcessLedger
  return Component.program({
    name,
    ledger,
    program: { command, args, env: {} },
    cwd: "/",
    secrets: Secrets.of({}),
    stopGrace: { closeInput: "2 seconds", terminate: "1 second" }
  })
}, Effect.provide(ProcessLedgerLayer.layerDisabled))

export const node = (name: string, ...args: ReadonlyArray<string>) => program(name, process.execPath, ...args)

/** The agent that lists and calls tools of MCP servers when it is asked to. */
export const eliza = node("eliza", standIn("eliza"))

/** The processes that run and were started by this one, by id. The guard, which stays, is left out. */
export const running = (): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "ppid=,pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([parent, , state, ...args]) =>
        parent === String(process.pid) &&
        state?.startsWith("Z") === false &&
        !/ps -A|SIGNALBOX_AGENT/.test(args.join(" "))
    )
    .map(([, pid]) => Number(pid))
