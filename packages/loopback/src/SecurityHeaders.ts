/**
 * The headers of every response. The page runs only its own scripts, can't be framed, and sends no referrer. CORS
 * headers are absent, so other origins can read nothing.
 */

/** The headers for a response. `host`: the requested name, which the request guard has checked. */
export const securityHeaders = (host: string): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src data: blob:",
    "font-src 'self'",
    // In older browsers, 'self' alone does not include the WebSocket.
    `connect-src 'self' ws://${host}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()"
})
