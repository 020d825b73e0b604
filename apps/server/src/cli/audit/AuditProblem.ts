/** Why the audit log can't be read, for people. */
import type { StorageError } from "../../storage/StorageError.ts"
import { failedWith } from "../terminal/Failure.ts"

export const of = ({ problem }: StorageError) =>
  failedWith({ ...problem, title: `The audit log can't be read. ${problem.title}`, nextSteps: [] })
