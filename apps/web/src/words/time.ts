/** The formats of times and durations. Arguments are milliseconds. */

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" })
const hoursMinutes = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" })
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" })
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })
const dayAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" })

/** 14:31:07 */
export const clock = (at: number): string => time.format(at)

/** Friday 20 November 2026 at 14:31:07 */
export const fullTime = (at: number): string => dayAndTime.format(at)

/** The shortest unambiguous time: 11:20 today, Wed within a week, else 3 Nov. */
export const shortDay = (at: number, now: number): string => {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return hoursMinutes.format(at)
  return now - at < 6 * 86_400_000 ? weekday.format(at) : day.format(at)
}

/** The duration of something in progress: 0:31, 2:14, 1:02:14. */
export const elapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, "0")
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** The duration of something complete: 38 ms, 3.8 s, 41 s, 1 m 48 s, 2 h 5 m. */
export const duration = (ms: number): string => {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`
}

/** How long an answer took that people compare by eye: 38 ms, 140 ms, then as `duration`. */
export const latency = (ms: number): string => (ms < 999.5 ? `${Math.max(0, Math.round(ms))} ms` : duration(ms))

/** How long a part of a chain holds a message: 0.1 ms, 12 ms, under 0.1 ms. */
export const fineDuration = (ms: number): string => {
  if (ms < 0.1) return "under 0.1 ms"
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
