/** Options of a session. In version 2 the names of ids say what they identify (ACP v2, session config options). */
import type * as Acp from "../generated/v1.ts"
import type * as V2 from "../generated/v2.ts"

export const toV1 = (options: ReadonlyArray<V2.SessionConfigOption>): ReadonlyArray<unknown> => options.map(option)

const option = ({ configId, ...rest }: V2.SessionConfigOption) =>
  rest.type === "select" && Array.isArray(rest["options"])
    ? { id: configId, ...rest, options: rest["options"].map(group) }
    : { id: configId, ...rest }

const group = (each: object) => {
  if (!("groupId" in each)) return each
  const { groupId, ...rest } = each
  return { group: groupId, ...rest }
}

/** The setting in version 2, which needs a type for every value. Version 1 has none for the value of a list. */
export const settingToV2 = (params: Acp.SetSessionConfigOptionRequest) =>
  params.type === "boolean" ? params : { ...params, type: "id" }
