import type { ConformanceReport, ProbeResult } from "@signalbox/contracts/Conformance"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { Fragment, useEffect, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { conformanceReport, probeAgent } from "../connection/conformance.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { fullTime } from "../words/time.ts"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { announce } from "../browser/announcer.ts"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./ConformanceDialog.module.css"
import { agentWords, areaName, byArea, claimWord, summaryOf, verdictLamp, verdictWord } from "./reportWords.ts"

interface Probing {
  readonly capability: string
  readonly done: number
  readonly of: number
}

/** What an agent says that it can do, and what it was seen to do. */
export const ConformanceDialog = (props: { readonly provider: ProviderRef; readonly onClose: () => void }) => {
  const { onClose, provider } = props
  // `null`: nobody has looked yet.
  const [report, setReport] = useState<ConformanceReport | null>()
  const [results, setResults] = useState<ReadonlyArray<ProbeResult>>([])
  const [probing, setProbing] = useState<Probing>()
  const [problem, setProblem] = useState<Problem>()
  const [model, setModel] = useState(false)
  const looking = useRef<AbortController>(undefined)
  useEffect(() => {
    const abort = new AbortController()
    conformanceReport(provider.id, abort.signal).then(
      (known) => {
        if (!abort.signal.aborted) setReport(known)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(error))
      }
    )
    return () => {
      abort.abort()
      looking.current?.abort()
    }
  }, [provider.id])
  const look = () => {
    const own = new AbortController()
    looking.current = own
    setProblem(undefined)
    setResults([])
    setProbing({ capability: "", done: 0, of: 0 })
    probeAgent(
      { providerId: provider.id, model },
      (frame) => {
        if (own.signal.aborted) return
        if (frame.type === "probing") setProbing(frame)
        else if (frame.type === "result") setResults((before) => [...before, frame.result])
        else {
          setReport(frame.report)
          announce(`${provider.name} was looked over: ${summaryOf(frame.report.results)}.`)
        }
      },
      own.signal
    )
      .catch((error: unknown) => {
        if (!own.signal.aborted) setProblem(problemOf(error))
      })
      .finally(() => {
        if (!own.signal.aborted) setProbing(undefined)
      })
  }
  const stop = () => {
    looking.current?.abort()
    setProbing(undefined)
  }
  const shown = probing ? results : (report?.results ?? results)
  return (
    <Dialog title={`What ${provider.name} does of the protocol`} onClose={onClose}>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} actions={{ "check-again": look, restart: look }} />}
        {report === null && probing === undefined && problem === undefined && (
          <p className={styles["note"]}>
            Nobody has looked yet. To look, {provider.name} is started some times over in a folder made for it, and
            asked what needs no model.
          </p>
        )}
        {report && probing === undefined && (
          <p className={styles["note"]}>
            <b>{summaryOf(report.results)}.</b>{" "}
            <span className="quiet">
              {agentWords(report) !== "" && (
                <>
                  <Revealed text={agentWords(report)} />,{" "}
                </>
              )}
              {report.protocolVersion !== undefined && `version ${report.protocolVersion} of the protocol, `}
              as of {fullTime(report.at)}.
              {report.processes !== undefined && (
                <>
                  {" "}
                  <Revealed text={report.processes} />
                </>
              )}
            </span>
          </p>
        )}
        {shown.length > 0 && (
          <table className={styles["table"]}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Says</th>
                <th scope="col">Seen</th>
                <th scope="col">Verdict</th>
              </tr>
            </thead>
            {byArea(shown).map(([area, rows]) => (
              <tbody key={area}>
                <tr>
                  <th className={styles["area"]} colSpan={4} scope="rowgroup">
                    {areaName[area]}
                  </th>
                </tr>
                {rows.map((result) => (
                  <Fragment key={result.probe}>
                    <Row result={result} />
                  </Fragment>
                ))}
              </tbody>
            ))}
          </table>
        )}
      </div>
      <div className={styles["foot"]}>
        <output className="meta grow">
          {probing &&
            `${probing.done} of ${probing.of}${probing.capability === "" ? "" : `, now: ${probing.capability}`}`}
        </output>
        {probing === undefined && (
          <label className={styles["model"]}>
            <input type="checkbox" checked={model} onChange={(event) => setModel(event.target.checked)} /> Ask its
            model, too, which may cost
          </label>
        )}
        {probing ? (
          <Button icon="stop" onClick={stop}>
            Stop looking
          </Button>
        ) : (
          <Button onClick={look}>{report ? "Look again" : "Look now"}</Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}

const Row = ({ result }: { readonly result: ProbeResult }) => {
  const { capability, probe, quirk, said, seen, verdict } = result
  return (
    <tr title={probe}>
      <td>{capability}</td>
      <td>{claimWord(result)}</td>
      <td>
        <Revealed text={seen} />
        {quirk !== undefined && (
          <p className={styles["quirk"]}>
            <Revealed text={quirk} />
          </p>
        )}
        {said !== undefined && verdict !== "holds" && (
          <p className={styles["quirk"]}>
            It says: <Revealed text={said} />
          </p>
        )}
      </td>
      <td className={styles["verdict"]}>
        <Lamp status={verdictLamp[verdict]} />
        <StateWord status={verdictLamp[verdict]}>{verdictWord[verdict]}</StateWord>
      </td>
    </tr>
  )
}
