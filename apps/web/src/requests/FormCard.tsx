/** A form of the agent's. What is typed stays here until it is sent as a whole; nothing is sent that the form does not take. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import {
  faultsIn,
  type FormField,
  type FormValue,
  initialContent,
  untested,
  valueOf
} from "@signalbox/contracts/Elicitation"
import type { RequestId } from "@signalbox/contracts/Ids"
import { useEffect, useId, useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { count } from "../words/figures.ts"
import { Revealed } from "../text/Revealed.tsx"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import styles from "./FormCard.module.css"
import { contentOf, formTitle, ruleOf, type Typed, typedOf } from "../words/formWords.ts"
import { useAnswer, type Respond } from "./useAnswer.ts"

/** What people have typed into forms that they left for a while, as long as the page is open. */
const kept = new Map<RequestId, Typed>()

export const FormCard = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "form" }>
  readonly answered: boolean
  readonly agent: string
  readonly respond: Respond
}) => {
  const { agent, request } = props
  const { fields, omitted = [] } = request
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const [typed, setTyped] = useState<Typed>(
    () => kept.get(request.requestId) ?? typedOf(fields, initialContent(fields))
  )
  useEffect(() => {
    kept.set(request.requestId, typed)
  }, [request.requestId, typed])
  const [tried, setTried] = useState(false)
  const content = contentOf(fields, typed)
  // A pattern that takes for ever would stop the whole page: the server tries them.
  const faults = faultsIn(fields, content, untested)
  const change = (name: string, value: FormValue | undefined) =>
    setTyped((before) => {
      const { [name]: _, ...others } = before
      return value === undefined ? others : { ...others, [name]: value }
    })
  const send = () => {
    setTried(true)
    const [wrong] = faults
    if (wrong === undefined) return answering.answer({ type: "content", content })
    card.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(wrong.name)}"] :is(input, textarea)`)?.focus()
  }
  return (
    <CardFrame
      ref={card}
      title={formTitle(agent, request)}
      at={request.at}
      answers={
        <>
          <div className={styles["acts"]}>
            <Button tall needs="approve" inert={!answering.ready} onClick={send}>
              Send
            </Button>
            <Button
              tall
              bare
              needs="approve"
              inert={!answering.ready}
              onClick={() => answering.answer({ type: "reject" })}
            >
              Decline
            </Button>
            {tried && faults.length > 0 && (
              <output className="meta">{count(faults.length, "field")} not yet right</output>
            )}
          </div>
          <p className={styles["hint"]}>
            {agent} gets what stands here, as it stands. Passwords and keys do not belong into a form.
          </p>
          <AnswerState answering={answering} />
        </>
      }
    >
      <CardPart>
        <p className={styles["says"]} dir="auto">
          {agent} says: “<Revealed output text={request.message} />”
        </p>
        {request.title !== undefined && (
          <h3 className={styles["title"]} dir="auto">
            <Revealed text={request.title} />
          </h3>
        )}
        {request.description !== undefined && (
          <p dir="auto">
            <Revealed output text={request.description} />
          </p>
        )}
      </CardPart>
      {fields.map((field) => (
        <CardPart key={field.name}>
          <Field
            field={field}
            value={valueOf(typed, field.name)}
            fault={tried ? faults.find(({ name }) => name === field.name)?.message : undefined}
            locked={answering.onItsWay}
            change={(value) => change(field.name, value)}
          />
        </CardPart>
      ))}
      {omitted.length > 0 && (
        <CardPart>
          <p className="meta">
            Left out, since Signalbox does not know their kind:{" "}
            {omitted.map(({ kind, name }) => `${name} (${kind})`).join(", ")}
          </p>
        </CardPart>
      )}
    </CardFrame>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly value: FormValue | undefined
  readonly fault: string | undefined
  readonly locked: boolean
  readonly change: (value: FormValue | undefined) => void
}

const Field = (props: FieldProps) => {
  const { field } = props
  switch (field.type) {
    case "text":
    case "number":
      return <Line {...props} field={field} />
    case "boolean":
      return (
        <Options
          {...props}
          options={[
            { value: true, label: "Yes" },
            { value: false, label: "No" }
          ]}
        />
      )
    case "choice":
    case "choices":
      return <Options {...props} options={field.options} />
  }
}

const Line = ({
  change,
  fault,
  field,
  locked,
  value
}: FieldProps & { readonly field: Extract<FormField, { readonly type: "text" | "number" }> }) => {
  const id = useId()
  const format = field.type === "text" ? field.format : undefined
  return (
    <div className={styles["field"]} data-field={field.name}>
      <label className={styles["label"]} htmlFor={id} dir="auto">
        <Label field={field} />
      </label>
      <input
        id={id}
        className="field"
        type={format === "date" ? "date" : "text"}
        inputMode={field.type === "number" ? "decimal" : format === "email" ? "email" : "text"}
        autoComplete="off"
        disabled={locked}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-about`}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => change(event.target.value)}
      />
      <About id={`${id}-about`} field={field} fault={fault} />
    </div>
  )
}

interface Option {
  readonly value: string | boolean
  readonly label: string
  readonly description?: string
}

/** Many may be chosen of `choices`, else one; none where none is needed. */
const Options = ({
  change,
  fault,
  field,
  locked,
  options,
  value
}: FieldProps & { readonly options: ReadonlyArray<Option> }) => {
  const id = useId()
  const many = field.type === "choices"
  const isChosen = (option: Option) =>
    Array.isArray(value) ? value.includes(String(option.value)) : value === option.value
  const choose = (option: Option) => {
    if (!many) return change(option.value)
    const after = options.filter((other) => isChosen(other) !== (other === option)).map((other) => String(other.value))
    change(after)
  }
  return (
    <fieldset
      className={styles["field"]}
      data-field={field.name}
      disabled={locked}
      aria-invalid={fault !== undefined}
      aria-describedby={`${id}-about`}
    >
      <legend className={styles["label"]} dir="auto">
        <Label field={field} />
      </legend>
      {options.map((option) => (
        <label key={String(option.value)} className={styles["option"]}>
          <input
            type={many ? "checkbox" : "radio"}
            name={id}
            checked={isChosen(option)}
            onChange={() => choose(option)}
          />
          <span dir="auto">
            <Revealed text={option.label} />
            {option.description !== undefined && (
              <span className="meta">
                {" "}
                <Revealed text={option.description} />
              </span>
            )}
          </span>
        </label>
      ))}
      {!many && !field.required && value !== undefined && (
        <button type="button" className="link" onClick={() => change(undefined)}>
          Choose none
        </button>
      )}
      <About id={`${id}-about`} field={field} fault={fault} />
    </fieldset>
  )
}

const Label = ({ field }: { readonly field: FormField }) => (
  <>
    <Revealed text={field.label ?? field.name} />
    {!field.required && <span className="meta"> {field.type === "choices" ? "any, or none" : "may stay empty"}</span>}
  </>
)

/** What the agent says of the field, what it takes, and what is wrong with what stands there. */
const About = ({
  fault,
  field,
  id
}: {
  readonly id: string
  readonly field: FormField
  readonly fault?: string | undefined
}) => {
  const rule = ruleOf(field)
  return (
    <div id={id} className={styles["about"]}>
      {field.description !== undefined && (
        <p dir="auto">
          <Revealed output text={field.description} />
        </p>
      )}
      {rule !== undefined && <p>{rule}</p>}
      {fault !== undefined && (
        <p className={styles["fault"]} role="alert">
          <Revealed text={fault} />
        </p>
      )}
    </div>
  )
}
