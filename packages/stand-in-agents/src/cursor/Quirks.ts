import { generations, type Generation } from "./Generation.ts"

const never: ReadonlyArray<Generation> = []
const always = generations
const february: ReadonlyArray<Generation> = ["2026.02"]
const august: ReadonlyArray<Generation> = ["2026.08"]
const october: ReadonlyArray<Generation> = ["2026.10"]
const sinceAugust: ReadonlyArray<Generation> = ["2026.08", "2026.10"]
const untilAugust: ReadonlyArray<Generation> = ["2026.02", "2026.08"]

/** Every switch, with the generations in which it is on by default. The README says what each one does. */
const defaults = {
  // Tool calls
  dup_tool_call: february,
  generic_tool_call: august,
  enrich_update: october,
  mcp_identity_missing: untilAugust,
  newfile_diff_header: october,
  hunk_diffs: never,
  newline_ids: never,
  toolu_ids: never,
  allow_exec: never,
  // Turns
  cancel_request_32601: always,
  cancel_notification_ignored: never,
  cancel_slow: never,
  cancel_late_updates: never,
  cancel_no_tool_close: always,
  second_prompt_cancels: always,
  title_after_result: never,
  no_title: february,
  commands_late: always,
  unknown_update: never,
  usage_never: always,
  // Permissions
  id_zero: always,
  perm_no_rawinput: always,
  perm_before_tool: sinceAugust,
  perm_mode: never,
  perm_none: never,
  perm_strict_result: never,
  reject_completed_no_output: always,
  allow_always_persists: always,
  plan_mode_blocks_edit: always,
  // Cursor's own requests
  ext_as_notification: never,
  ext_wait: february,
  ask_missing: october,
  ask_fallback_permission: sinceAugust,
  plan_end_after_accept: sinceAugust,
  task_late: never,
  // Sessions
  load_not_found: never,
  load_no_replay: february,
  load_no_config: august,
  load_no_session_id: always,
  new_transient_error: never,
  new_without_init: february,
  // Account
  auth_required: never,
  auth_browser_error: never,
  auth_hang: never,
  // Models
  set_model_auto_only: never,
  model_global: sinceAugust,
  model_unroutable: never,
  icon_names: october,
  bool_params: never,
  names_bare: october,
  slow_models: never,
  list_models_kills_acp: never,
  // The process
  no_exit_on_eof: always,
  ignore_sigterm: never,
  worker_child: never,
  exit_bad_cli_json: always,
  exit_bad_model: sinceAugust,
  crash_after: never,
  hang_initialize: never,
  hang_new: never,
  hang_prompt: never,
  // The wire
  stdout_banner: always,
  stdout_noise: never,
  stderr_flood: never,
  split_writes: never,
  big_chunk: never
}

export type Quirk = keyof typeof defaults

const isQuirk = (name: string): name is Quirk => Object.hasOwn(defaults, name)

export const quirkNames: ReadonlyArray<Quirk> = Object.keys(defaults).filter(isQuirk)

/** The switches that are on, some with a value. */
export class Quirks {
  readonly #on: ReadonlyMap<Quirk, string>

  private constructor(on: ReadonlyMap<Quirk, string>) {
    this.#on = on
  }

  /**
   * @param text a comma list of `name`, `name=value` (or `name value`) and `-name`.
   * @throws Error naming a switch that does not exist, so that a typing mistake in a test cannot go unnoticed.
   */
  static parse(generation: Generation, text: string): Quirks {
    const on = new Map<Quirk, string>()
    for (const name of quirkNames) if (defaults[name].includes(generation)) on.set(name, "")
    for (const item of text.split(",")) {
      const match = /^(-?)(\w+)(?:[=\s]\s*(.*))?$/.exec(item.trim())
      if (match === null) {
        if (item.trim() === "") continue
        throw new Error(`FAKE_CURSOR_QUIRKS: cannot read "${item}"`)
      }
      const [, minus, name = "", value = ""] = match
      if (!isQuirk(name)) throw new Error(`FAKE_CURSOR_QUIRKS: unknown switch "${name}"`)
      if (minus === "-") on.delete(name)
      else on.set(name, value)
    }
    return new Quirks(on)
  }

  has(name: Quirk): boolean {
    return this.#on.has(name)
  }

  /** The value after `name=`, or the fallback when the switch is off or bare. */
  text(name: Quirk, fallback: string): string {
    const value = this.#on.get(name)
    return value === undefined || value === "" ? fallback : value
  }

  number(name: Quirk, fallback: number): number {
    const value = Number(this.text(name, String(fallback)))
    return Number.isFinite(value) ? value : fallback
  }
}
