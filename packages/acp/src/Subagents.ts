/** Keeps the tree of sub-agents that sessions announce: parents, states, and what they inherit. */
export * from "./internal/client/Subagents.ts"
