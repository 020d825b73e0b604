/** How deep JSON may be nested. What walks over a message recursively would run out of stack on a deeper one. */
export * from "./internal/rpc/Nesting.ts"
