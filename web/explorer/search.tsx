/** @jsxImportSource preact */
// Search as a page, for links and for those without a keyboard: accepts anything pasted, and tolerates a typo.
import type { SearchAnswer } from "../../client/src/generated.ts";
import { Tabs } from "../shared/bits.tsx";
import { useAnswer } from "../shared/query.tsx";
import { Empty, Loaded } from "../shared/states.tsx";
import { pathOf } from "./answers.ts";
import { readPasted } from "./pasted.ts";
import { hrefOf, PASTED_LENGTH_MAX, ResultRow, SEARCH_WORDS, useTyped } from "./search-dialog.tsx";
import { TrackOffer } from "./track-offer.tsx";
import { useUrlState } from "./url-state.ts";

const TYPES = [
  ["all", "All"],
  ["traders", "Traders"],
  ["tokens", "Tokens"],
] as const;

export const searchPath = (q: string, type = "all") =>
  pathOf("/v2/search", { q: readPasted(q).q, type, limit: 30 });

export function SearchPage() {
  const [values, change] = useUrlState({ q: "", type: "all" });
  const [text, asked, setText] = useTyped(values.q ?? "");
  const type = (values.type ?? "all") as (typeof TYPES)[number][0];
  const answer = useAnswer<SearchAnswer>(asked === "" ? null : searchPath(asked, type));
  return (
    <>
      <header class="page-head">
        <h1>Search</h1>
        <div class="page-tools">
          <Tabs
            label="What to search"
            values={TYPES}
            current={type}
            onChoose={(next) => change({ type: next })}
          />
        </div>
      </header>
      <search>
        <form class="search-form" method="get" action="/search" onSubmit={(event) => event.preventDefault()}>
          <input
            type="search"
            name="q"
            aria-label={SEARCH_WORDS.label}
            placeholder={SEARCH_WORDS.placeholder}
            autocomplete="off"
            spellcheck={false}
            maxLength={PASTED_LENGTH_MAX}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              change({ q: event.currentTarget.value });
            }}
          />
        </form>
      </search>
      <section class="card narrow">
        {asked === "" ? (
          <Empty>
            Type a name or a ticker, or paste a wallet, a transaction, a token or a link. A typo still finds.
          </Empty>
        ) : (
          <Loaded
            answer={answer}
            rows={6}
            isEmpty={(body) => body.results.length === 0}
            empty={<TrackOffer key={asked} pasted={readPasted(asked)} />}
          >
            {(body) => (
              <ul class="results">
                {body.results.map((row) => (
                  <li key={hrefOf(row)} data-row>
                    <a href={hrefOf(row)}>
                      <ResultRow row={row} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        )}
      </section>
    </>
  );
}
