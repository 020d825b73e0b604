/** A component that took too long to answer its initialization. */
import { ChainFailure } from "./ChainFailure.ts"

/** @param component undefined if it is not known which one */
export const failure = (component: { readonly name: string; readonly isProxy: boolean } | undefined): ChainFailure => {
  const hint = component?.isProxy === true ? " If it is an older proxy, set its proxyDialect." : ""
  return new ChainFailure({
    reason: "Silent",
    message: `${component?.name ?? "The chain"} did not answer its initialization in time.${hint}`,
    ...(component !== undefined && { component: component.name })
  })
}
