/** @jsxImportSource preact */
// Traders ranked by profit, in four windows: bars, curves, win rate, return, best trade; sorted and filtered in place.
import type { LeaderboardAnswer, LeaderboardRow, PnlAnswer } from "../../client/src/generated.ts";
import { Moment, Tabs, TokenLink } from "../shared/bits.tsx";
import { count, percent, share, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Sparkline } from "../shared/sparkline.tsx";
import { Empty, Loaded, Stale } from "../shared/states.tsx";
import { Table, type TableColumn } from "../shared/table.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { pathOf, WINDOWS, type WindowName } from "./answers.ts";
import { leaderColumns } from "./leader-columns.tsx";
import { ProvedGain, tradeProof } from "./proof-link.tsx";
import { RankedBy } from "./ranked-by.tsx";
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
    order: query.order === "asc" ? "asc" : "",
  });

/** Columns that can be hidden. */
const OPTIONAL = ["Curve", "Return", "Wins", "Volume", "Trades", "Best trade", "Followers"] as const;

export function LeaderboardPage() {
  const page = usePage();
  const window = (page.params.window ?? "7d") as WindowName;
  const [values, change] = useUrlState({ chain: "", sort: "pnl", order: "desc", q: "", without: "" });
  const answer = useAnswer<LeaderboardAnswer>(leaderboardPath(window, values), { everyMs: 60_000 });
  const wanted = (values.q ?? "").trim().toLowerCase().replace(/^@/, "");
  const matches = (row: LeaderboardRow) =>
    wanted === "" ||
    row.handle.toLowerCase().includes(wanted) ||
    row.displayName.toLowerCase().includes(wanted);
  const without = (values.without ?? "").split(",");
  const since = answer.body?.traders.find(({ rankChange }) => rankChange !== null)?.rankChange?.since;
  const keep = new URLSearchParams(
    Object.entries({
      chain: values.chain ?? "",
      sort: values.sort === "pnl" ? "" : (values.sort ?? ""),
      order: values.order === "asc" ? "asc" : "",
      without: values.without ?? "",
    }).filter(([, value]) => value !== ""),
  );
  return (
    <>
      <header class="page-head">
        <h1>Leaderboard</h1>
        <p class="soft">
          Everybody, by any figure. Choose a heading to sort by it, and again to reverse the order.
          {since ? (
            <>
              {" "}
              Arrows: places since <Moment at={Date.parse(since)} />.
            </>
          ) : null}
        </p>
        <div class="page-tools">
          {answer.body?.stale ? <Stale at={answer.body.asOf} /> : null}
          <RankedBy current="pnl" window={window} />
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
        <Choices values={values} change={change} />
        <button
          type="button"
          class="plain small"
          aria-pressed={values.sort === "pnl" && values.order === "asc"}
          onClick={() =>
            change({
              sort: "pnl",
              order: values.sort === "pnl" && values.order === "asc" ? "desc" : "asc",
            })
          }
        >
          Largest losses
        </button>
        <ColumnsMenu without={without} onChange={(next) => change({ without: next })} />
        {answer.body?.note ? <p class="soft note">{answer.body.note} Curves are of all chains.</p> : null}
      </form>
      <section class="card">
        <Loaded
          answer={answer}
          rows={16}
          isEmpty={(body) => body.traders.length === 0}
          empty="No trades there in this window."
        >
          {(body) => (
            <Rows
              rows={body.traders.filter(matches)}
              window={window}
              asOf={body.asOf}
              without={without}
              sort={values.sort ?? "pnl"}
              isAscending={values.order === "asc"}
              onSort={(sort) =>
                change({ sort, order: sort === values.sort && values.order !== "asc" ? "asc" : "desc" })
              }
            />
          )}
        </Loaded>
      </section>
    </>
  );
}

function Choices(props: { values: Record<string, string>; change: (next: Record<string, string>) => void }) {
  const page = usePage();
  const { values, change } = props;
  return (
    <>
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
    </>
  );
}

/** Selects the visible columns; the hidden ones are in the address. */
function ColumnsMenu({
  without,
  onChange,
}: {
  without: readonly string[];
  onChange: (without: string) => void;
}) {
  const choose = (title: string, isShown: boolean) =>
    onChange(OPTIONAL.filter((each) => (each === title ? !isShown : without.includes(each))).join(","));
  return (
    <details class="columns-menu">
      <summary>Columns</summary>
      <fieldset>
        <legend class="off-screen">Columns to show</legend>
        {OPTIONAL.map((title) => (
          <label key={title}>
            <input
              type="checkbox"
              checked={!without.includes(title)}
              onChange={(event) => choose(title, event.currentTarget.checked)}
            />
            {title}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function Rows(props: {
  rows: LeaderboardRow[];
  window: WindowName;
  asOf: string | null;
  without: readonly string[];
  sort: string;
  isAscending: boolean;
  onSort: (sort: string) => void;
}) {
  const { rows, window } = props;
  if (rows.length === 0) return <Empty>No trader in this ranking is called that. Try the search.</Empty>;
  const sort = (by: string) => ({
    isOn: props.sort === by,
    isAscending: props.isAscending,
    choose: () => props.onSort(by),
  });
  const columns: TableColumn<LeaderboardRow>[] = [
    ...leaderColumns({ rows, window, asOf: props.asOf }, 24, sort("pnl")),
    { title: "Curve", cell: (row) => <LazyCurve handle={row.handle} window={window} /> },
    {
      title: "Return",
      class: "right num",
      sort: sort("roi"),
      cell: (row) => (row.roi === null ? "–" : percent(row.roi * 100)),
    },
    { title: "Wins", class: "right num", sort: sort("winRate"), cell: (row) => share(row.winRate) },
    { title: "Volume", class: "right num", sort: sort("volume"), cell: (row) => usd(row.volumeUsd) },
    { title: "Trades", class: "right num", sort: sort("trades"), cell: (row) => count(row.trades) },
    { title: "Best trade", cell: ({ bestTrade }) => <BestTrade trade={bestTrade} /> },
    {
      title: "Followers",
      class: "right num",
      sort: sort("followers"),
      cell: (row) => count(row.followers),
    },
  ];
  return (
    <Table
      label="Ranking"
      class="leaders"
      rows={rows}
      keyOf={(row) => row.userId}
      columns={columns.filter(({ title }) => !props.without.includes(title))}
    />
  );
}

function BestTrade({ trade }: { trade: LeaderboardRow["bestTrade"] }) {
  if (trade === null) return <span class="soft">–</span>;
  return (
    <span class="pair">
      <TokenLink
        symbol={trade.token.symbol}
        address={trade.token.address}
        networkId={trade.chainId}
        image={trade.token.image}
        size={16}
      />
      <ProvedGain usd={trade.pnlUsd} quiet proof={tradeProof(trade.tradeId)} />
    </span>
  );
}

/** Loaded when its row comes into view: a hundred curves at once would be a hundred calls. */
function LazyCurve({ handle, window }: { handle: string; window: WindowName }) {
  const [box, isSeen] = useSeen<HTMLSpanElement>();
  const answer = useAnswer<PnlAnswer>(
    isSeen ? pathOf(`/v2/users/${encodeURIComponent(handle)}/pnl`, { window }) : null,
  );
  // Where nothing is known yet, a flat line would claim that nothing was earned.
  const isKnown = answer.body !== null && (answer.body.complete || answer.body.fills > 0);
  const values = isKnown ? (answer.body?.buckets.map(({ pnlUsd }) => pnlUsd) ?? null) : null;
  return (
    <span ref={box}>
      <Sparkline values={values} label={`Profit curve of ${handle}`} />
    </span>
  );
}
