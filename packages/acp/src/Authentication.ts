/** Signs in when an agent asks for it, and repeats the refused call. */
export { type AuthState, type AuthStatus, retryOnce } from "./internal/client/Authentication.ts"
