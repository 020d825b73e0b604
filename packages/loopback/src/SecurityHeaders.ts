/**
 * Headers that every answer carries. The page runs its own scripts and nothing else, is framed by nobody, and tells no one
 * where it was. There are no CORS headers: no other origin may read anything here.
 */

/** `host` is the name that the request came under; the request guard has checked it. */
export const securityHeaders = (host: string): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src data: blob:",
    "font-src 'self'",
    // 'self' alone does not cover the WebSocket in older browsers.
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
