/** @jsxImportSource preact */
// Traders ranked by profit, in four windows: bars, curves, win rate, return, best trade; sorted and filtered in place.
import { useEffect, useRef, useState } from "preact/hooks";
import { Gain, Scroll, Tabs, TokenLink, TraderLink } from "../shared/bits.tsx";
import { count, percent, share, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { PnlBar, Sparkline } from "../shared/sparkline.tsx";
import { Empty, Loaded, Stale } from "../shared/states.tsx";
import {
  type LeaderboardAnswer,
  type LeaderboardRow,
  type PnlAnswer,
  pathOf,
  WINDOWS,
  type Window,
} from "./answers.ts";
import { useUrlState } from "./url-state.ts";

const ROWS = 100;
const SORTS = [
  ["pnl", "PnL"],
  ["roi", "Return"],
  ["winRate", "Wins"],
  ["volume", "Volume"],
  ["trades", "Trades"],
  ["followers", "Followers"],
] as const;

export const leaderboardPath = (window: string, query: Record<string, string>) =>
  pathOf(`/v2/leaderboard/${window}`, {
    limit: ROWS,
    chain: query.chain,
    sort: query.sort === "pnl" ? "" : query.sort,
  });

export function LeaderboardPage() {
  const page = usePage();
  const window = (page.params.window ?? "7d") as Window;
  const [values, change] = useUrlState({ chain: "", sort: "pnl", q: "" });
  const answer = useAnswer<LeaderboardAnswer>(leaderboardPath(window, values), { everyMs: 60_000 });
  const wanted = (values.q ?? "").trim().toLowerCase().replace(/^@/, "");
  const matches = (row: LeaderboardRow) =>
    wanted === "" ||
    row.handle.toLowerCase().includes(wanted) ||
    row.displayName.toLowerCase().includes(wanted);
  const keep = new URLSearchParams(
    Object.entries({
      chain: values.chain ?? "",
      sort: values.sort === "pnl" ? "" : (values.sort ?? ""),
    }).filter(([, value]) => value !== ""),
  );
  return (
    <>
      <header class="page-head">
        <h1>Leaderboard</h1>
        <p class="soft">Traders by profit. Choose a column's heading to sort by it.</p>
        <div class="page-tools">
          {answer.body?.stale ? <Stale at={answer.body.asOf} /> : null}
          <Tabs
            label="Window"
            values={WINDOWS}
            current={window}
            hrefOf={(value) => `/leaderboard/${value}${keep.size > 0 ? `?${keep}` : ""}`}
          />
        </div>
      </header>
      <form class="filters" method="get" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Find</span>
          <input
            type="search"
            name="q"
            placeholder="handle or name"
            value={values.q ?? ""}
            autocomplete="off"
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
        <label>
          <span>Chain</span>
          <select
            name="chain"
            value={values.chain ?? ""}
            onChange={(event) => change({ chain: event.currentTarget.value })}
          >
            <option value="">all</option>
            {page.chains
              .filter(({ name }) => name !== "perps")
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        <label>
          <span>Sort</span>
          <select
            name="sort"
            value={values.sort ?? "pnl"}
            onChange={(event) => change({ sort: event.currentTarget.value })}
          >
            {SORTS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {answer.body?.note ? <p class="soft note">{answer.body.note} Curves are of all chains.</p> : null}
      </form>
      <section class="card">
        <Loaded
          answer={answer}
          rows={16}
          isEmpty={(body) => body.traders.length === 0}
          empty="Nobody traded there in this window."
        >
          {(body) => (
            <Rows
              rows={body.traders.filter(matches)}
              window={window}
              sort={values.sort ?? "pnl"}
              onSort={(sort) => change({ sort })}
            />
          )}
        </Loaded>
      </section>
    </>
  );
}

function Rows(props: {
  rows: LeaderboardRow[];
  window: Window;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const { rows, sort } = props;
  if (rows.length === 0) return <Empty>Nobody in this ranking is called that. Try the search.</Empty>;
  const largest = Math.max(...rows.map(({ pnlUsd }) => Math.abs(pnlUsd)));
  const head = (value: string, title: string, extra = "") => (
    <th scope="col" class={`right ${extra}`} aria-sort={sort === value ? "descending" : undefined}>
      <button type="button" class="sorter" onClick={() => props.onSort(value)}>
        {title}
        {sort === value ? " ↓" : ""}
      </button>
    </th>
  );
  return (
    <Scroll label="Ranking">
      <table class="list leaders">
        <thead>
          <tr>
            <th scope="col" class="rank">
              #
            </th>
            <th scope="col">Trader</th>
            {head("pnl", "PnL")}
            <th scope="col" class="bar">
              <span class="off-screen">PnL as a bar</span>
            </th>
            <th scope="col">Curve</th>
            {head("roi", "Return")}
            {head("winRate", "Wins")}
            {head("volume", "Volume")}
            {head("trades", "Trades")}
            <th scope="col">Best trade</th>
            {head("followers", "Followers")}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.userId} data-row>
              <td class="rank num">{row.rank}</td>
              <td>
                <TraderLink
                  handle={row.handle}
                  name={row.displayName}
                  avatar={row.avatar}
                  verified={row.verified}
                  size={24}
                />
              </td>
              <td class="right">
                <Gain usd={row.pnlUsd} />
              </td>
              <td class="bar">
                <PnlBar value={row.pnlUsd} largest={largest} both={rows.some((each) => each.pnlUsd < 0)} />
              </td>
              <td>
                <LazyCurve handle={row.handle} window={props.window} />
              </td>
              <td class="right num">{row.roi === null ? "–" : percent(row.roi * 100)}</td>
              <td class="right num">{share(row.winRate)}</td>
              <td class="right num">{usd(row.volumeUsd)}</td>
              <td class="right num">{count(row.trades)}</td>
              <td>
                {row.bestTrade === null ? (
                  <span class="soft">–</span>
                ) : (
                  <span class="pair">
                    <TokenLink
                      symbol={row.bestTrade.token.symbol}
                      address={row.bestTrade.token.address}
                      networkId={row.bestTrade.chainId}
                      image={row.bestTrade.token.image}
                      size={16}
                    />
                    <Gain usd={row.bestTrade.pnlUsd} quiet />
                  </span>
                )}
              </td>
              <td class="right num">{count(row.followers)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Asked for when its row comes into view: a hundred curves at once would be a hundred calls. */
function LazyCurve({ handle, window }: { handle: string; window: Window }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const answer = useAnswer<PnlAnswer>(
    isSeen ? pathOf(`/v2/users/${encodeURIComponent(handle)}/pnl`, { window }) : null,
  );
  // A flat line would say that nothing was earned, where nothing is known yet.
  const isKnown = answer.body !== null && (answer.body.complete || answer.body.fills > 0);
  const values = isKnown ? (answer.body?.buckets.map(({ pnlUsd }) => pnlUsd) ?? null) : null;
  return (
    <span ref={box}>
      <Sparkline values={values} label={`Profit curve of ${handle}`} />
    </span>
  );
}
