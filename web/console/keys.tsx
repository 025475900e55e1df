/** @jsxImportSource preact */
// The account's keys: make one with a cap, replace one with an overlap, revoke one. A new key is shown once.
import { useEffect, useState } from "preact/hooks";
import { Card, Copyable, Scroll } from "../shared/bits.tsx";
import { count, day } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { ask, type Keys, key, me, type NewKey, signIn } from "./state.ts";

type Row = Keys["keys"][number];

export function KeysSection() {
  const [keys, setKeys] = useState<Row[] | null>(null);
  const [made, setMade] = useState<NewKey | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const load = () => ask<Keys>("/v2/keys").then((body) => setKeys(body.keys), fail);
  const fail = (problem: unknown) => setSaid(problem instanceof Error ? problem.message : "No answer.");
  useEffect(() => {
    void load();
  }, []);

  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const [name, cap] = [String(fields.get("name") ?? "").trim(), Number(fields.get("cap") || 0)];
    setSaid(null);
    try {
      setMade(
        await ask<NewKey>("/v2/keys", {
          method: "POST",
          body: { ...(name ? { name } : {}), ...(cap > 0 ? { monthlyCap: cap } : {}) },
        }),
      );
      form.reset();
      await load();
    } catch (problem) {
      fail(problem);
    }
  };
  const rotate = async (row: Row, overlapSeconds: number) => {
    setSaid(null);
    try {
      const next = await ask<NewKey>(`/v2/keys/${encodeURIComponent(row.id)}/rotate`, {
        method: "POST",
        body: { overlapSeconds },
      });
      setMade(next);
      // The tab's own key was replaced: go on with the new one.
      if (row.id === me.value?.key.id) await signIn(next.key);
      await load();
    } catch (problem) {
      fail(problem);
    }
  };
  const revoke = async (row: Row) => {
    setSaid(null);
    try {
      await ask(`/v2/keys/${encodeURIComponent(row.id)}`, { method: "DELETE" });
      await load();
    } catch (problem) {
      fail(problem);
    }
  };
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
          <Scroll label="Keys">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">State</th>
                  <th scope="col" class="right">
                    Used this month
                  </th>
                  <th scope="col" class="right">
                    Cap
                  </th>
                  <th scope="col" class="right">
                    Last used
                  </th>
                  <th scope="col">Change</th>
                </tr>
              </thead>
              <tbody>
                {keys.map((row) => (
                  <KeyRow key={row.id} row={row} onRotate={rotate} onRevoke={revoke} />
                ))}
              </tbody>
            </table>
          </Scroll>
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

function KeyRow({
  row,
  onRotate,
  onRevoke,
}: {
  row: Row;
  onRotate: (row: Row, overlap: number) => void;
  onRevoke: (row: Row) => void;
}) {
  const [overlap, setOverlap] = useState(3_600);
  const [isSure, setSure] = useState(false);
  const isOwn = row.id === me.value?.key.id && key.value !== null;
  const state = row.revokedAt
    ? `revoked ${day(Date.parse(row.revokedAt))}`
    : row.expiresAt
      ? `ends ${day(Date.parse(row.expiresAt), true)}`
      : "works";
  const isOver = row.revokedAt !== null;
  return (
    <tr data-row>
      <td>
        <b>{row.name ?? "unnamed"}</b> <code class="soft">{row.hint}</code>{" "}
        {isOwn ? <span class="chip green">this tab</span> : null}
      </td>
      <td>
        <span class={`chip ${isOver ? "red" : row.expiresAt ? "amber" : "green"}`}>{state}</span>
      </td>
      <td class="right num">{count(row.usedThisMonth)}</td>
      <td class="right num">{row.monthlyCap === null ? "–" : count(row.monthlyCap)}</td>
      <td class="right num soft">
        {row.lastUsedAt === null ? "never" : day(Date.parse(row.lastUsedAt), true)}
      </td>
      <td>
        {isOver ? null : (
          <span class="pair">
            <label class="inline">
              <span>Old one ends</span>
              <select
                value={String(overlap)}
                onChange={(event) => setOverlap(Number(event.currentTarget.value))}
              >
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
        )}
      </td>
    </tr>
  );
}
