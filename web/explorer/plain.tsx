/** @jsxImportSource preact */
// Not-found pages, for people: the name they looked for, similar names, and where to continue.
import type { ComponentChildren } from "preact";
import type { SearchAnswer } from "../../client/src/generated.ts";
import { type Asked, useAnswer, usePage } from "../shared/query.tsx";
import { FailureNotice } from "../shared/states.tsx";
import { pathOf } from "./answers.ts";
import { hrefOf, ResultRow } from "./search-dialog.tsx";

export type SuggestedType = "traders" | "tokens";

/** The part of an arbitrary address that the search accepts; a name without a letter resembles nothing. */
export const suggestionsPath = (name: string, type: SuggestedType) =>
  pathOf("/v2/search", { q: name.replace(/\p{C}/gu, "").trim().slice(0, 64) || "a", type, limit: 6 });

export function NotFoundPage() {
  const page = usePage();
  return (
    <section class="card narrow lost">
      <h1>There is no such page.</h1>
      <p>
        <code>{page.params.path}</code> leads nowhere. It may be mistyped, or something that the platform has
        forgotten.
      </p>
      <Onward />
    </section>
  );
}

/** An unknown trader or token; any other failure is shown as such. */
export function Unknown(props: {
  answer: Asked<unknown>;
  name: string;
  type: SuggestedType;
  children?: ComponentChildren;
}) {
  const { answer, type } = props;
  const { status = 0, message } = answer.failure ?? {};
  const isUnknown = status === 404 || status === 400;
  const similar = useAnswer<SearchAnswer>(isUnknown ? suggestionsPath(props.name, type) : null);
  if (!isUnknown) return <FailureNotice answer={answer} />;
  const rows = similar.body?.results ?? [];
  return (
    <section class="card narrow lost">
      <h1>There is no such {type === "traders" ? "trader" : "token"}.</h1>
      <p>{props.children ? "If you know which chain it is on, look there:" : message}</p>
      {props.children}
      {rows.length > 0 ? (
        <>
          <h2>Did you mean</h2>
          <ul class="results">
            {rows.map((row) => (
              <li key={hrefOf(row)} data-row>
                <a href={hrefOf(row)}>
                  <ResultRow row={row} />
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <Onward first={type === "traders" ? ["/traders", "Leaderboard"] : ["/tokens", "Trending tokens"]} />
    </section>
  );
}

function Onward({ first: [href, name] = ["/", "Home"] }: { first?: readonly [string, string] }) {
  return (
    <p class="actions">
      <a class="button" href={href}>
        {name}
      </a>
      <a class="button plain" href="/search">
        Search
      </a>
      <a class="button plain" href="/docs">
        API reference
      </a>
    </p>
  );
}
