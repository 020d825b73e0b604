/**
 * The modules that most clients and agents need, in one import. Every module is a subpath of its own, too, which loads less:
 * `@signalbox/acp/AcpClient`. Transports to other machines, version 2 and extensions are subpaths only.
 */
export * as AcpAgent from "./AcpAgent.ts"
export * as AcpClient from "./AcpClient.ts"
export * as AcpError from "./AcpError.ts"
export * as AcpSchema from "./AcpSchema.ts"
export * as Authentication from "./Authentication.ts"
export * as JsonRpc from "./JsonRpc.ts"
export * as JsonRpcPeer from "./JsonRpcPeer.ts"
export * as Lenient from "./Lenient.ts"
export * as LineSplitter from "./LineSplitter.ts"
export * as PromptFit from "./PromptFit.ts"
export * as SessionList from "./SessionList.ts"
export * as Steering from "./Steering.ts"
export * as Transport from "./Transport.ts"
export * as Versions from "./Versions.ts"
