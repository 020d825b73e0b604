/** More messages than are read: how many are kept, and why a chain ends beyond that. */
import { ChainFailure } from "./ChainFailure.ts"

/** Mebicharacters that may wait: two of the longest messages. Whoever writes more floods the chain. */
const mostWaiting = 64

/** Whether so many characters are too many to wait. */
export const isAt = (waiting: number): boolean => waiting > mostWaiting * 1024 ** 2

const failure = (message: string, component: string | undefined): ChainFailure =>
  new ChainFailure({ reason: "Flooded", message, ...(component !== undefined && { component }) })

/** A component wrote more than its successor reads. */
export const by = (component: string, successor: string): ChainFailure =>
  failure(`${component} wrote more than ${successor} reads: over ${mostWaiting} MiB wait for it.`, component)

/**
 * Somebody outside of the chain wrote more than its components read. No component has failed.
 *
 * @param sender begins the sentence
 * @param reader the component for which most waits
 */
export const from = (sender: string, reader: string): ChainFailure =>
  failure(`${sender} wrote more than ${reader} reads: over ${mostWaiting} MiB wait.`, undefined)

/**
 * Somebody reads none of the answers to what it writes.
 *
 * @param component undefined if it is the client
 */
export const unread = (component: string | undefined): ChainFailure =>
  failure(`${component ?? "The client"} writes and does not read: over ${mostWaiting} MiB wait for it.`, component)
