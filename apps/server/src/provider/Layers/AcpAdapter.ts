/** The adapter for any ACP agent, in its own right. */
import * as Layer from "effect/Layer"
import * as AcpAdapterMaker from "../acp/AcpAdapterMaker.ts"
import { GenericProfile } from "../acp/GenericProfile.ts"
import { AcpAdapter } from "../Services/AcpAdapter.ts"

export const layer = Layer.effect(AcpAdapter, AcpAdapterMaker.make(GenericProfile))
