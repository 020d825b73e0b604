/** The programs of the reference, by what tests call them. */
import { find } from "./Crates.ts"

const programs = {
  conductor: "agent-client-protocol-conductor",
  conductor11: "sacp-conductor",
  eliza: "elizacp",
  arrow: "arrow_proxy",
  tee: "sacp-tee",
  client: "yopo",
  viewer: "agent-client-protocol-trace-viewer"
} as const

export type Program = keyof typeof programs

/** The path of a program. */
export const reference = (program: Program): string => find(programs[program]) ?? programs[program]

/** Whether any of these programs is not built. `build.ts` has said so, and why: the tests that need it are skipped. */
export const isMissing = (...needs: ReadonlyArray<Program>): boolean =>
  needs.some((program) => find(programs[program]) === undefined)
