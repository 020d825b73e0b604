/** One end of a conversation in raw messages: ids, answers, cancellation, order and end. Proxies and conductors are built on it. */
export * from "./internal/raw/RawConnection.ts"
