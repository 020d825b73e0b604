import type { ClientScope } from "@signalbox/contracts/ClientScope"
import type { ComponentProps } from "react"
import styles from "./Button.module.css"
import { Icon, type IconName } from "./Icon.tsx"
import { useScope } from "./scope.ts"

/**
 * `solid`: at most one per card. `bare`: without border. `tall`: for answers. `inert` keeps the button in place and in the order of focus.
 * It says that it does nothing now, and drops clicks. `needs`: the scope for what it does. It is inert without that, and says why.
 */
export const Button = ({
  bare,
  className,
  icon,
  inert: inertNow,
  needs,
  onClick,
  children,
  solid,
  tall,
  title,
  ...rest
}: Omit<ComponentProps<"button">, "disabled" | "inert" | "className"> & {
  readonly className?: string | undefined
  readonly solid?: boolean
  readonly bare?: boolean
  readonly tall?: boolean
  readonly inert?: boolean
  readonly needs?: ClientScope
  readonly icon?: IconName
}) => {
  const reason = useScope(needs)
  const inert = inertNow === true || reason !== undefined
  return (
    <button
      type="button"
      {...rest}
      title={reason ?? title}
      className={[styles["button"], solid && styles["solid"], bare && styles["bare"], tall && styles["tall"], className]
        .filter(Boolean)
        .join(" ")}
      aria-disabled={inert ? true : undefined}
      onClick={inert ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** An icon whose word is its label; `hint` is what the tooltip says beyond it. */
export const IconButton = ({
  className,
  hint,
  icon,
  inert: inertNow,
  label,
  needs,
  onClick,
  ...rest
}: Omit<ComponentProps<"button">, "children" | "title" | "inert"> & {
  readonly icon: IconName
  readonly label: string
  readonly hint?: string
  readonly inert?: boolean
  readonly needs?: ClientScope
}) => {
  const reason = useScope(needs)
  const inert = inertNow === true || reason !== undefined
  return (
    <button
      type="button"
      aria-label={label}
      title={reason ?? (hint === undefined ? label : `${label}  ${hint}`)}
      {...rest}
      aria-disabled={inert ? true : undefined}
      onClick={inert ? (event) => event.preventDefault() : onClick}
      className={className === undefined ? styles["iconOnly"] : `${styles["iconOnly"]} ${className}`}
    >
      <Icon name={icon} />
    </button>
  )
}
