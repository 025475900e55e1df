/** @jsxImportSource preact */
// The account's keys: create one with a cap, replace one with an overlap, revoke one. A new key is shown once.
import { useEffect, useState } from "preact/hooks";
import type { KeysAnswer, NewKeyAnswer } from "../../client/src/generated.ts";
import { Card, Copyable, Moment } from "../shared/bits.tsx";
import { count } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { key, me, sentenceOf, service, signIn } from "./state.ts";

type KeyRow = KeysAnswer["keys"][number];

export function KeysSection() {
  const [keys, setKeys] = useState<KeyRow[] | null>(null);
  const [made, setMade] = useState<NewKeyAnswer | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  /** Runs an action, then reloads the keys. */
  const act = async (work: () => Promise<unknown>) => {
    setSaid(null);
    try {
      await work();
      setKeys((await service().listKeys()).keys);
    } catch (error) {
      setSaid(sentenceOf(error));
    }
  };
  useEffect(() => {
    void act(async () => {});
  }, []);

  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const [name, monthlyCap] = [String(fields.get("name") ?? "").trim(), Number(fields.get("cap") || 0)];
    void act(async () => {
      setMade(
        await service().createKey({ ...(name ? { name } : {}), ...(monthlyCap > 0 ? { monthlyCap } : {}) }),
      );
      form.reset();
    });
  };
  const rotate = ({ id }: KeyRow, overlapSeconds: number) =>
    act(async () => {
      const next = await service().rotateKey({ id, overlapSeconds });
      setMade(next);
      // The tab's own key was replaced: continue with the new one.
      if (id === me.value?.key.id) await signIn(next.key);
    });
  const revoke = ({ id }: KeyRow) => act(() => service().revokeKey({ id }));
  return (
    <div class="console-grid">
      <Card title="Make a key" class="wide-card">
        <form class="filters pad" onSubmit={create}>
          <label>
            <span>Name</span>
            <input name="name" maxLength={64} placeholder="production" autocomplete="off" />
          </label>
          <label>
            <span>Credits a month at most</span>
            <input
              name="cap"
              type="number"
              min={1}
              max={1_000_000_000}
              placeholder="no cap"
              inputMode="numeric"
            />
          </label>
          <button type="submit">Make it</button>
        </form>
        {made ? (
          <div class="notice" role="status">
            <p>
              <b>Keep it now: it is shown this once.</b>
            </p>
            <p class="secret">
              <Copyable text={made.key} shown={made.key} label="the new key" />
            </p>
            {made.replaces ? <p class="soft">It replaces {made.replaces}.</p> : null}
          </div>
        ) : null}
        {said ? (
          <p class="notice bad" role="alert">
            {said}
          </p>
        ) : null}
      </Card>
      <Card title="Keys" class="wide-card">
        {keys === null ? (
          <Skeleton rows={4} />
        ) : (
          <Table
            label="Keys"
            rows={keys}
            keyOf={(row) => row.id}
            columns={[
              { title: "Key", cell: (row) => <KeyName row={row} /> },
              { title: "State", cell: (row) => <KeyState row={row} /> },
              { title: "Used this month", class: "right num", cell: (row) => count(row.usedThisMonth) },
              {
                title: "Cap",
                class: "right num",
                cell: (row) => (row.monthlyCap === null ? "–" : count(row.monthlyCap)),
              },
              {
                title: "Last used",
                class: "right num soft",
                cell: (row) =>
                  row.lastUsedAt === null ? "never" : <Moment at={Date.parse(row.lastUsedAt)} />,
              },
              {
                title: "Change",
                cell: (row) =>
                  row.revokedAt === null ? (
                    <KeyChanges row={row} onRotate={rotate} onRevoke={revoke} />
                  ) : null,
              },
            ]}
          />
        )}
      </Card>
    </div>
  );
}

const OVERLAPS = [
  [0, "at once"],
  [3_600, "after an hour"],
  [86_400, "after a day"],
  [604_800, "after a week"],
] as const;

function KeyName({ row }: { row: KeyRow }) {
  const isOwn = row.id === me.value?.key.id && key.value !== null;
  return (
    <>
      <b>{row.name ?? "unnamed"}</b> <code class="soft">{row.hint}</code>{" "}
      {isOwn ? <span class="chip green">this tab</span> : null}
    </>
  );
}

function KeyState({ row }: { row: KeyRow }) {
  if (row.revokedAt)
    return (
      <span class="chip red">
        revoked <Moment at={Date.parse(row.revokedAt)} as="day" />
      </span>
    );
  if (row.expiresAt)
    return (
      <span class="chip amber">
        ends <Moment at={Date.parse(row.expiresAt)} />
      </span>
    );
  return <span class="chip green">works</span>;
}

function KeyChanges(props: {
  row: KeyRow;
  onRotate: (row: KeyRow, overlapSeconds: number) => void;
  onRevoke: (row: KeyRow) => void;
}) {
  const { row, onRotate, onRevoke } = props;
  const [overlap, setOverlap] = useState(3_600);
  const [isSure, setSure] = useState(false);
  return (
    <span class="pair">
      <label class="inline">
        <span>Old one ends</span>
        <select value={String(overlap)} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
          {OVERLAPS.map(([seconds, title]) => (
            <option key={seconds} value={String(seconds)}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="plain small" onClick={() => onRotate(row, overlap)}>
        Rotate
      </button>
      {isSure ? (
        <>
          <button type="button" class="small danger" onClick={() => onRevoke(row)}>
            Revoke for good
          </button>
          <button type="button" class="plain small" onClick={() => setSure(false)}>
            Keep
          </button>
        </>
      ) : (
        <button type="button" class="plain small" onClick={() => setSure(true)}>
          Revoke
        </button>
      )}
    </span>
  );
}
