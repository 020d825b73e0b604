/** The adapter for Cursor: what all ACP agents share, with what only Cursor does. */
import * as Layer from "effect/Layer"
import { CursorDriver } from "../drivers/cursor/CursorDriver.ts"
import { CursorAdapter } from "../Services/CursorAdapter.ts"
import * as DriverAdapter from "./DriverAdapter.ts"

export const layer = Layer.effect(CursorAdapter, DriverAdapter.make(CursorDriver))
