/** @jsxImportSource preact */
// The feed of written reasons, newest first, with what became of each since.
import { useState } from "preact/hooks";
import { call, failureOf } from "../shared/api.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { pathOf, type ThesesAnswer, type Thesis } from "./answers.ts";
import { ThesisList } from "./thesis-list.tsx";
import { useUrlState } from "./url-state.ts";

export const thesesPath = (chain = "") => pathOf("/v2/thesis", { limit: 30, chain });

export function ThesesPage() {
  const page = usePage();
  const [values, change] = useUrlState({ chain: "" });
  const path = thesesPath(values.chain);
  const answer = useAnswer<ThesesAnswer>(path, { everyMs: 60_000 });
  const [more, setMore] = useState<{ path: string; rows: Thesis[]; next: string | null } | null>(null);
  const load = async (cursor: string) => {
    const loaded = await call(
      `${path}&cursor=${encodeURIComponent(cursor)}`,
      page.mode,
      page.mode === "open" ? { key: null } : {},
    );
    if (failureOf(loaded)) return;
    const body = loaded.body as ThesesAnswer;
    const before = more?.path === path ? more.rows : [];
    setMore({ path, rows: [...before, ...body.theses], next: body.nextCursor });
  };
  return (
    <>
      <header class="page-head">
        <h1>Theses</h1>
        <p class="soft">Why people bought, in their own words, and how it went since.</p>
        <div class="page-tools">
          <label class="inline">
            <span>Chain</span>
            <select
              name="chain"
              value={values.chain ?? ""}
              onChange={(event) => change({ chain: event.currentTarget.value })}
            >
              <option value="">all</option>
              {page.chains.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <section class="card">
        <Loaded
          answer={answer}
          rows={12}
          isEmpty={(body) => body.theses.length === 0}
          empty="Nobody wrote about this chain yet."
        >
          {(body) => {
            const extra = more?.path === path ? more : null;
            const known = new Set(body.theses.map(({ id }) => id));
            const rows = [...body.theses, ...(extra?.rows.filter(({ id }) => !known.has(id)) ?? [])];
            const next = extra ? extra.next : body.nextCursor;
            return (
              <>
                <ThesisList theses={rows} by="both" priced />
                {next === null ? null : (
                  <button type="button" class="plain small more" onClick={() => load(next)}>
                    Show more
                  </button>
                )}
              </>
            );
          }}
        </Loaded>
      </section>
    </>
  );
}
