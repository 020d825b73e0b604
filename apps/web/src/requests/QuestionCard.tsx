/** Questions with the agent's options: all are answered together, or skipped. */
import type { AgentRequest, Question } from "@signalbox/contracts/AgentRequest"
import { useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { count } from "../words/figures.ts"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import styles from "./QuestionCard.module.css"
import { useAnswer, type Respond } from "./useAnswer.ts"
import { useDigits } from "./useDigits.ts"
import { RevealedProse } from "../text/Revealed.tsx"

type Choices = Readonly<Record<string, ReadonlyArray<string>>>

const chosen = (choices: Choices, question: Question): ReadonlyArray<string> => choices[question.id] ?? []

/** One option replaces the other, or joins and leaves those chosen, in the order in which they are offered. */
const choose = (choices: Choices, { allowMultiple, id, options }: Question, optionId: string): Choices => {
  if (!allowMultiple) return { ...choices, [id]: [optionId] }
  const before = choices[id] ?? []
  const after = options.map((option) => option.id).filter((option) => before.includes(option) !== (option === optionId))
  return { ...choices, [id]: after }
}

export const QuestionCard = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "question" }>
  readonly answered: boolean
  readonly agent: string
  readonly respond: Respond
}) => {
  const { agent, request } = props
  const { questions } = request
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const [choices, setChoices] = useState<Choices>({})
  const left = questions.filter((question) => chosen(choices, question).length === 0)
  useDigits(card, (index) => {
    if (answering.onItsWay) return
    // The question that has the focus, else the first without an answer.
    const focused = document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"]
    const question = questions.find(({ id }) => id === focused) ?? left[0] ?? questions[0]
    const option = question?.options[index]
    if (question && option) setChoices((before) => choose(before, question, option.id))
  })
  return (
    <CardFrame
      ref={card}
      title={`${agent} asks`}
      at={request.at}
      answers={
        <>
          <div className={styles["acts"]}>
            <Button
              tall
              needs="approve"
              inert={!answering.ready || left.length > 0}
              onClick={() =>
                answering.answer({
                  type: "answers",
                  answers: questions.map((question) => ({
                    questionId: question.id,
                    optionIds: chosen(choices, question)
                  }))
                })
              }
            >
              Answer
            </Button>
            <Button
              tall
              bare
              needs="approve"
              inert={!answering.ready}
              onClick={() => answering.answer({ type: "skip" })}
            >
              Skip
            </Button>
            {left.length > 0 && questions.length > 1 && (
              <span className="meta">{count(left.length, "question")} without an answer</span>
            )}
          </div>
          <p className={styles["hint"]}>{agent} takes its own options only, no free text.</p>
          <AnswerState answering={answering} />
        </>
      }
    >
      {request.title !== undefined && request.title !== "" && (
        <CardPart>
          <p className={styles["title"]} dir="auto">
            <RevealedProse text={request.title} />
          </p>
        </CardPart>
      )}
      {questions.map((question) => (
        <CardPart key={question.id}>
          <fieldset className={styles["question"]} data-question={question.id} disabled={answering.onItsWay}>
            <legend dir="auto">
              <RevealedProse text={question.prompt} />
              {question.allowMultiple && <span className="meta"> one or more</span>}
            </legend>
            {question.options.map((option, index) => (
              <label key={option.id} className={styles["option"]}>
                <input
                  type={question.allowMultiple ? "checkbox" : "radio"}
                  name={`${request.requestId}:${question.id}`}
                  checked={chosen(choices, question).includes(option.id)}
                  onChange={() => setChoices((before) => choose(before, question, option.id))}
                />
                <span dir="auto">
                  <RevealedProse text={option.label} />
                </span>
                {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
              </label>
            ))}
          </fieldset>
        </CardPart>
      ))}
    </CardFrame>
  )
}
