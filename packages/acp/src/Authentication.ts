/** Logs in when an agent asks for it, and makes the refused call once more. */
export { type AuthState, type AuthStatus, retryOnce } from "./internal/client/Authentication.ts"
