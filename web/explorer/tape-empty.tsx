/** @jsxImportSource preact */
// The message of an empty tape: it says that nothing happened only if that is known.
import type { ComponentChildren } from "preact";
import { canRecover } from "../shared/api.ts";
import { Empty, Skeleton } from "../shared/states.tsx";
import type { Tape } from "./use-tape.ts";

export function TapeEmpty(props: { tape: Tape; rows: number; children: ComponentChildren }) {
  const { past, status } = props.tape;
  const isDown = status?.state === "refused" || status?.state === "lost" || status?.state === "closed";
  if (past === "unknown") return <Skeleton rows={props.rows} />;
  if (past !== "known")
    return (
      <div class="notice bad" role="alert">
        <b>Not known.</b>{" "}
        {canRecover(past) ? "The feed can't be read right now. Retrying automatically." : past.message}
      </div>
    );
  return (
    <>
      <Empty>{props.children}</Empty>
      {isDown ? (
        <p class="notice" role="status">
          <b>Not updated.</b> {status.reason ?? "The live connection is lost."}
        </p>
      ) : null}
    </>
  );
}
