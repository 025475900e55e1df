/** @jsxImportSource preact */
// Now: the tokens that tracked traders are piling into, as a picture and as a list, with filters that are kept in the address.
import type { ActivityAnswer } from "../../client/src/generated.ts";
import { Ago, Change, Gain, Tabs, TokenCell } from "../shared/bits.tsx";
import { count, counted, price, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table, type TableColumn } from "../shared/table.tsx";
import { Treemap } from "../shared/treemap.tsx";
import { useWidth } from "../shared/use-width.ts";
import { pathOf } from "./answers.ts";
import { useUrlState } from "./url-state.ts";

type ActiveToken = ActivityAnswer["tokens"][number];

const NOW_WINDOWS = [
  ["5m", "5 min"],
  ["1h", "1 hour"],
  ["4h", "4 hours"],
  ["24h", "24 hours"],
] as const;
const DEFAULTS = {
  window: "4h",
  chain: "",
  side: "",
  minTraders: "2",
  top: "",
  launchedWithin: "",
  cap: "",
  sort: "traders",
};
/** The query for each choice of market cap. */
const CAPS: Record<string, { minMarketCapUsd?: string; maxMarketCapUsd?: string }> = {
  small: { maxMarketCapUsd: "1000000" },
  medium: { minMarketCapUsd: "1000000", maxMarketCapUsd: "100000000" },
  large: { minMarketCapUsd: "100000000" },
};
const TILES_MAX = 30;

export const nowPath = (query: Record<string, string>) => {
  const asked = { ...DEFAULTS, ...query };
  return pathOf("/v2/tokens/activity", {
    window: asked.window,
    chain: asked.chain,
    side: asked.side,
    minTraders: asked.minTraders,
    top: asked.top,
    launchedWithin: asked.launchedWithin,
    ...CAPS[asked.cap],
    sort: asked.sort,
    limit: 100,
  });
};

export function NowPage() {
  const page = usePage();
  const [values, change] = useUrlState(DEFAULTS);
  const answer = useAnswer<ActivityAnswer>(nowPath(values), { everyMs: 15_000 });
  const select = (
    name: keyof typeof DEFAULTS,
    label: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <label>
      <span>{label}</span>
      <select
        name={name}
        value={values[name] ?? ""}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      >
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <header class="page-head">
        <h1>Now</h1>
        <p class="soft">What tracked traders pile into. The more of them, the larger the tile.</p>
        <div class="page-tools">
          <Tabs
            label="How far back"
            values={NOW_WINDOWS}
            current={values.window as (typeof NOW_WINDOWS)[number][0]}
            onChoose={(window) => change({ window })}
          />
        </div>
      </header>
      <form class="filters" method="get" onSubmit={(event) => event.preventDefault()}>
        {select("chain", "Chain", [
          ["", "all"],
          ...page.chains.filter(({ name }) => name !== "perps").map(({ name }) => [name, name] as const),
        ])}
        {select("side", "Side", [
          ["", "both"],
          ["buy", "buys"],
          ["sell", "sells"],
        ])}
        {select("minTraders", "Traders", [
          ["1", "any"],
          ["2", "2 or more"],
          ["3", "3 or more"],
          ["5", "5 or more"],
          ["10", "10 or more"],
        ])}
        {select("top", "Whose", [
          ["", "everybody"],
          ["10", "10 best of 30 days"],
          ["50", "50 best of 30 days"],
          ["100", "100 best of 30 days"],
        ])}
        {select("launchedWithin", "Age", [
          ["", "any"],
          ["1h", "up to an hour"],
          ["24h", "up to a day"],
          ["7d", "up to a week"],
          ["30d", "up to a month"],
        ])}
        {select("cap", "Market cap", [
          ["", "any"],
          ["small", "up to $1M"],
          ["medium", "$1M to $100M"],
          ["large", "$100M or more"],
        ])}
        {select("sort", "Sort", [
          ["traders", "traders"],
          ["netUsd", "net bought"],
          ["recent", "last trade"],
        ])}
      </form>
      <section class="card">
        <Loaded
          answer={answer}
          rows={14}
          isEmpty={(body) => body.tokens.length === 0}
          empty="No token matches. Look further back, or ask for less."
        >
          {(body) => (
            <>
              <Pile tokens={body.tokens} />
              <Table
                label="Tokens that are traded now"
                class="now-list"
                rows={body.tokens}
                keyOf={(row) => `${row.chainId}${row.token.address}`}
                columns={COLUMNS}
              />
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}

function Pile({ tokens }: { tokens: readonly ActiveToken[] }) {
  const [box, width] = useWidth<HTMLDivElement>(1_100, 240);
  return (
    <div ref={box}>
      <Treemap
        title="Tokens by traders"
        width={width}
        height={220}
        words={(traders) => counted(traders, "trader")}
        items={tokens.slice(0, TILES_MAX).map((row) => ({
          key: `${row.chainId}${row.token.address}`,
          label: row.token.symbol,
          value: row.traders,
          change: row.changePct,
          href: `/tokens/${encodeURIComponent(row.token.address)}?networkId=${row.chainId}`,
        }))}
      />
    </div>
  );
}

const COLUMNS: TableColumn<ActiveToken>[] = [
  { title: "#", class: "rank num", cell: (row) => row.rank },
  {
    title: "Token",
    cell: (row) => <TokenCell token={row.token} networkId={row.chainId} chain={row.chain} />,
  },
  {
    title: "Traders",
    class: "right num",
    cell: (row) => (
      <span title={`${counted(row.buyers, "buyer")}, ${counted(row.sellers, "seller")}`}>
        {count(row.traders)}
      </span>
    ),
  },
  { title: "Net bought", class: "right", cell: (row) => <Gain usd={row.netUsd} quiet /> },
  { title: "Bought", class: "right num", cell: (row) => usd(row.buyUsd) },
  { title: "Sold", class: "right num", cell: (row) => usd(row.sellUsd) },
  { title: "Price then", class: "right num soft", cell: (row) => price(row.priceUsdAtFirst) },
  { title: "Now", class: "right num", cell: (row) => price(row.priceUsd) },
  {
    title: "Market cap",
    class: "right num",
    cell: (row) => (
      <span title={`${usd(row.marketCapUsdAtFirst)} at the first trade`}>{usd(row.marketCapUsd)}</span>
    ),
  },
  { title: "Since then", class: "right", cell: (row) => <Change points={row.changePct} /> },
  {
    title: "Who",
    cell: (row) => (
      <span class="who-list">
        {row.topTraders.slice(0, 3).map(({ handle }) => (
          <a key={handle} href={`/traders/${encodeURIComponent(handle)}`}>
            {handle}
          </a>
        ))}
      </span>
    ),
  },
  { title: "First", class: "right", cell: (row) => <Ago at={Date.parse(row.firstTradeAt)} /> },
  { title: "Last", class: "right", cell: (row) => <Ago at={Date.parse(row.lastTradeAt)} /> },
];
