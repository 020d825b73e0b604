/** Translates the handshake between version 1 and ACP v2 (initialization). */
import type * as Acp from "../generated/v1.ts"
import type * as V2 from "../generated/v2.ts"

/** Translates to version 2, which asks little of a client: other capabilities are mandatory there, or removed. */
export const requestToV2 = ({
  _meta,
  clientCapabilities = {},
  clientInfo
}: Acp.InitializeRequest): V2.InitializeRequest => {
  const { auth, elicitation } = clientCapabilities
  return {
    protocolVersion: 2,
    info: clientInfo ?? { name: "unknown", version: "unknown" },
    capabilities: {
      ...(auth?.terminal === true && { auth: { terminal: {} } }),
      ...(elicitation && {
        elicitation: { ...(elicitation.form && { form: {} }), ...(elicitation.url && { url: {} }) }
      }),
      ...(clientCapabilities._meta && { _meta: clientCapabilities._meta })
    },
    ...(_meta && { _meta })
  }
}

export const responseToV1 = ({
  _meta,
  authMethods = [],
  capabilities,
  info,
  protocolVersion
}: V2.InitializeResponse) => {
  const { auth, providers, session } = capabilities ?? {}
  const {
    additionalDirectories,
    archive,
    delete: deletion,
    fork,
    mcp,
    prompt,
    status,
    systemPrompt,
    title
  } = session ?? {}
  return {
    protocolVersion,
    agentInfo: info,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: {
        image: Boolean(prompt?.image),
        audio: Boolean(prompt?.audio),
        embeddedContext: Boolean(prompt?.embeddedContext)
      },
      mcpCapabilities: { http: Boolean(mcp?.http), sse: false, acp: Boolean(mcp?.acp) },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        ...present({ additionalDirectories, archive, delete: deletion, fork, status, systemPrompt, title }),
        ...(session?._meta && { _meta: session._meta })
      },
      auth: { ...present({ status: auth?.status }), ...(authMethods.length > 0 && { logout: {} }) },
      ...present({ providers }),
      ...(capabilities?._meta && { _meta: capabilities._meta })
    },
    authMethods: authMethods.map(authMethod),
    ...(_meta && { _meta })
  }
}

const present = (members: { readonly [name: string]: unknown }) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/**
 * A sign-in method in version 1. There the environment is a map, not a list, and a method without a type is the agent's
 * own.
 */
const authMethod = (method: V2.AuthMethod) => {
  if (method.type === "agent") {
    const { methodId, type: _, ...rest } = method
    return { id: methodId, ...rest }
  }
  const { methodId, ...rest } = method
  if (rest.type !== "terminal" || !Array.isArray(rest["env"])) return { id: methodId, ...rest }
  return { id: methodId, ...rest, env: Object.fromEntries(rest["env"].map(({ name, value }) => [name, value])) }
}
