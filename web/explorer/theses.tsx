/** @jsxImportSource preact */
// The feed of written theses, newest first, with each one's outcome so far.
import type { ThesesAnswer } from "../../client/src/generated.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { useMore } from "../shared/table.tsx";
import { pathOf } from "./answers.ts";
import { ThesisList } from "./thesis-list.tsx";
import { useUrlState } from "./url-state.ts";

export const thesesPath = (chain = "") => pathOf("/v2/thesis", { limit: 30, chain });

export function ThesesPage() {
  const page = usePage();
  const [values, change] = useUrlState({ chain: "" });
  const path = thesesPath(values.chain);
  const answer = useAnswer<ThesesAnswer>(path, { everyMs: 60_000 });
  const more = useMore(path, (body: ThesesAnswer) => ({ rows: body.theses, next: body.nextCursor }));
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
          empty="No thesis about this chain yet."
        >
          {(body) => {
            const known = new Set(body.theses.map(({ id }) => id));
            const rows = [...body.theses, ...more.rows.filter(({ id }) => !known.has(id))];
            return (
              <>
                <ThesisList theses={rows} by="both" priced />
                {more.button(body.nextCursor)}
              </>
            );
          }}
        </Loaded>
      </section>
    </>
  );
}
