/** @jsxImportSource preact */
// Every state of an answer, each with its own look: loading, empty, old, late, failed, unsupported, locked.
import type { ComponentChildren } from "preact";
import { keepKey } from "./api.ts";
import { Ago } from "./bits.tsx";
import type { Asked } from "./query.tsx";

/** Lists with rows of a known height, so that their skeletons take as much room as the rows will. */
export type RowsOf = "positions" | "fills" | "figures";

export function Skeleton({ rows = 6, of }: { rows?: number; of?: RowsOf | undefined }) {
  return (
    <div class={`skeleton ${of ? `rows ${of}` : ""}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class={`bone b${index % 4}`} />
      ))}
    </div>
  );
}

/** The coming component itself, empty and drawn as a skeleton: as high as it will be, at every width. */
function Room({ children }: { children: ComponentChildren }) {
  return (
    <div class="room" role="status" aria-label="Loading">
      <div aria-hidden="true" inert>
        {children}
      </div>
    </div>
  );
}

/** Still loading, or why it did not load; it is retried automatically. */
export function NotYet({ error, rows }: { error: string | null; rows: number }) {
  if (error === null) return <Skeleton rows={rows} />;
  return (
    <div class="notice bad" role="alert">
      <b>This did not load.</b> {error} It is tried again by itself.
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** The notice for a list that can't be read: upstream does not support it, or nothing was captured. */
function UnavailableNotice({ note }: { note: string }) {
  return (
    <div class="notice">
      <b>Not available here.</b> {note}
    </div>
  );
}

export function FailureNotice({ answer }: { answer: Asked<unknown> }) {
  const { failure } = answer;
  if (failure === null) return null;
  const isGone = failure.status === 404;
  return (
    <div class={`notice ${isGone ? "" : "bad"}`} role={isGone ? undefined : "alert"}>
      <p>
        <b>{isGone ? "Nothing here." : failure.status === 429 ? "Too fast." : "This did not load."}</b>{" "}
        {failure.message}
      </p>
      {isGone ? null : (
        <button type="button" class="small" onClick={answer.retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Upstream did not respond, and an older answer is shown with its age. */
export function Stale({ at: text }: { at: string | null }) {
  const at = text === null ? null : Date.parse(text);
  return (
    <span class="chip amber" title="The platform did not answer; this is the last good answer.">
      stale
      {at === null ? (
        ""
      ) : (
        <>
          , <Ago at={at} suffix=" old" />
        </>
      )}
    </span>
  );
}

export function KeyGate() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("key") as HTMLInputElement;
    if (field.value.trim() === "") return;
    keepKey(field.value.trim());
    location.reload();
  };
  return (
    <form class="notice gate" onSubmit={submit}>
      <label for="gate-key">
        <b>These pages need a key.</b> It stays in this tab.
      </label>
      <div class="row">
        <input
          id="gate-key"
          name="key"
          type="password"
          placeholder="ct_live_…"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Use it</button>
        <a class="button plain" href="/pricing">
          Get a key
        </a>
      </div>
    </form>
  );
}

/** Expected rows of figures that are missing: their space stays, so that nothing below jumps. */
export const RoomLeft = ({ rows }: { rows: number }) => (
  <>
    {Array.from({ length: Math.max(0, rows) }, (_, row) => (
      <div class="room-left" key={row} />
    ))}
  </>
);

/** The whole life cycle of an answer: the skeleton, then its content, or why it has none. */
export function Loaded<Body>(props: {
  answer: Asked<Body>;
  rows?: number;
  rowsOf?: RowsOf;
  /** The coming component, empty; instead of rows. */
  room?: ComponentChildren;
  isEmpty?: (body: Body) => boolean;
  empty?: ComponentChildren;
  children: (body: Body) => ComponentChildren;
}) {
  const { answer } = props;
  if (answer.needsKey) return <KeyGate />;
  if (answer.body === null)
    return answer.failure ? (
      <FailureNotice answer={answer as Asked<unknown>} />
    ) : props.room ? (
      <Room>{props.room}</Room>
    ) : (
      <Skeleton rows={props.rows ?? 6} of={props.rowsOf} />
    );
  const body = answer.body as Body & { available?: boolean; note?: string | null };
  const isEmpty = props.isEmpty?.(body) ?? false;
  return (
    <>
      {answer.failure ? <FailureNotice answer={answer as Asked<unknown>} /> : null}
      {isEmpty && body.available === false && body.note ? (
        <UnavailableNotice note={body.note} />
      ) : isEmpty ? (
        <Empty>{props.empty ?? "Nothing yet."}</Empty>
      ) : (
        props.children(body)
      )}
    </>
  );
}
