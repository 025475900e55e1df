/** @jsxImportSource preact */
// The column next to a trader's curve: their holdings, where they made and lost money, their days, and their theses.
import type { BalancesAnswer, PnlAnswer, ThesesAnswer } from "../../client/src/generated.ts";
import { Ago, Card, ChainTag, TokenLink } from "../shared/bits.tsx";
import { Calendar, CalendarRoom } from "../shared/calendar.tsx";
import { usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { PnlBar } from "../shared/sparkline.tsx";
import { Loaded, RoomLeft } from "../shared/states.tsx";
import { Table, type TableColumn } from "../shared/table.tsx";
import { Treemap } from "../shared/treemap.tsx";
import { pathOf, pnlPath, traderPath } from "./answers.ts";
import { ProvedGain, windowProof } from "./proof-link.tsx";
import { ThesisList } from "./thesis-list.tsx";

/** Thirty days end within a 31st. */
const DAYS_SHOWN = 31;

export function Days({ handle }: { handle: string }) {
  const { renderedAt } = usePage();
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, "30d", "1d"));
  return (
    <Card title="Days">
      <Loaded
        answer={answer}
        room={<CalendarRoom until={renderedAt} days={DAYS_SHOWN} />}
        isEmpty={(body) => body.buckets.length === 0}
      >
        {(body) => (
          <Calendar
            days={body.buckets.map(({ t, pnlUsd, fills }, index) => ({
              t,
              fills,
              gainUsd: pnlUsd - (body.buckets[index - 1]?.pnlUsd ?? 0),
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}

export function Holdings({ handle }: { handle: string }) {
  const answer = useAnswer<BalancesAnswer>(`${traderPath(handle)}/balances`);
  return (
    <Card
      title="Holdings"
      aside={
        answer.body?.totalValueUsd == null ? undefined : <b class="num">{usd(answer.body.totalValueUsd)}</b>
      }
    >
      <Loaded
        answer={answer}
        room={
          <>
            <Treemap title="Holdings by worth" items={[]} />
            <p class="note">–</p>
          </>
        }
        isEmpty={(body) => body.holdings.length === 0}
        empty="Nothing is held."
      >
        {(body) => (
          <>
            <Treemap
              title="Holdings by worth"
              items={body.holdings.slice(0, 24).map((holding) => ({
                key: `${holding.chainId}${holding.token.address}`,
                label: holding.token.symbol,
                value: holding.valueUsd ?? 0,
                change: holding.change24h,
                href: `/tokens/${encodeURIComponent(holding.token.address)}?networkId=${holding.chainId}`,
              }))}
            />
            {body.asOf ? (
              <p class="soft note">
                {body.count} {body.count === 1 ? "token" : "tokens"}, read <Ago at={Date.parse(body.asOf)} />.{" "}
                {body.note}
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const WHERE_ROWS = 6;
/** Of its two tables. */
const HEADINGS = 2;

const pnlColumns = <Item extends { pnlUsd: number }>(
  handle: string,
  largest: number,
): TableColumn<Item>[] => [
  {
    title: "As a bar",
    class: "bar",
    isTitleHidden: true,
    cell: ({ pnlUsd }) => <PnlBar value={pnlUsd} largest={largest} both />,
  },
  {
    title: "PnL",
    class: "right",
    cell: ({ pnlUsd }) => <ProvedGain usd={pnlUsd} quiet proof={windowProof(handle, "30d")} />,
  },
];

/** Where the window's profit was made and lost. */
export function Where({ handle, trades }: { handle: string; trades: number }) {
  const { chains } = usePage();
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, "30d", "1d"));
  const expected = Math.min(trades, 2 * WHERE_ROWS) + Math.min(trades, chains.length) + HEADINGS;
  return (
    <Card title="Made and lost, 30 days">
      <Loaded answer={answer} rows={expected} rowsOf="figures" isEmpty={(body) => body.byToken.length === 0}>
        {(body) => {
          const ends =
            body.byToken.length <= 2 * WHERE_ROWS
              ? body.byToken
              : [...body.byToken.slice(0, WHERE_ROWS), ...body.byToken.slice(-WHERE_ROWS)];
          const largest = Math.max(...ends.map(({ pnlUsd }) => Math.abs(pnlUsd)));
          const chainScaleUsd = Math.max(...body.byChain.map(({ pnlUsd }) => Math.abs(pnlUsd)));
          return (
            <>
              <Table
                rows={ends}
                keyOf={(row) => `${row.chainId}${row.token.address}`}
                columns={[
                  {
                    title: "Token",
                    cell: (row) => (
                      <TokenLink
                        symbol={row.token.symbol}
                        address={row.token.address}
                        networkId={row.chainId}
                        image={row.token.image}
                        size={16}
                      />
                    ),
                  },
                  ...pnlColumns<PnlAnswer["byToken"][number]>(handle, largest),
                ]}
              />
              <Table
                rows={body.byChain}
                keyOf={(row) => row.chainId}
                columns={[
                  { title: "Chain", cell: (row) => <ChainTag chain={row.chain} /> },
                  ...pnlColumns<PnlAnswer["byChain"][number]>(handle, chainScaleUsd),
                ]}
              />
              <RoomLeft rows={expected - ends.length - body.byChain.length - HEADINGS} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

export function Theses({ handle }: { handle: string }) {
  const answer = useAnswer<ThesesAnswer>(
    pathOf(`/v2/thesis/user/${encodeURIComponent(handle)}`, { limit: 10 }),
  );
  return (
    <Card title="Theses">
      <Loaded
        answer={answer}
        rows={5}
        isEmpty={(body) => body.theses.length === 0}
        empty="Nothing written yet."
      >
        {(body) => <ThesisList theses={body.theses} by="token" priced />}
      </Loaded>
    </Card>
  );
}
